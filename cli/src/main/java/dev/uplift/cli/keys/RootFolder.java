package dev.uplift.cli.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Trust roots of one tenant as files: `N.root.json`, and `N.root.sig` with a line per signature. A signed root is
/// never changed.
public record RootFolder(Path folder) {
  private static final Pattern FILE_NAME = Pattern.compile("(\\d{1,18})\\.root\\.json");

  /// Returns all versions in ascending order.
  public List<Long> versions() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> FILE_NAME.matcher(String.valueOf(file.getFileName())))
          .filter(Matcher::matches)
          .map(name -> Long.parseLong(name.group(1)))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw UserFile.cannotRead(folder, e);
    }
  }

  public long newestVersion() {
    List<Long> versions = versions();
    if (versions.isEmpty()) {
      throw CliException.usageError("there is no root in " + folder + "; `uplift keys root init` writes the first");
    }
    return versions.getLast();
  }

  Path rootFile(long version) {
    return folder.resolve(version + ".root.json");
  }

  Path signatureFile(long version) {
    return folder.resolve(version + ".root.sig");
  }

  public SignedTrustRoot signedRoot(long version) {
    return new SignedTrustRoot(UserFile.readText(rootFile(version)), UserFile.readIfPresent(signatureFile(version)));
  }

  /// Returns the request that publishes a root.
  public ObjectNode requestBody(long version) {
    SignedTrustRoot root = signedRoot(version);
    return RestClient.JSON.createObjectNode().put("root", root.root()).put("signature", root.signature());
  }

  public TrustRoot root(long version) {
    try {
      return TrustRoot.read(signedRoot(version).root().getBytes(UTF_8));
    } catch (MalformedMessage e) {
      throw new CliException(CliException.USAGE, rootFile(version) + " is not a valid root: " + e.getMessage(), e);
    }
  }

  /// Returns the root that this version follows; none for the first in the folder.
  public Optional<TrustRoot> predecessor(long version) {
    return versions().contains(version - 1) ? Optional.of(root(version - 1)) : Optional.empty();
  }

  /// Returns why a root is not valid yet; empty if it has enough signatures.
  public String missingSignatures(long version) {
    SignedTrustRoot signed = signedRoot(version);
    SignedTrustRoot.Verification verification =
        predecessor(version)
            .map(signed::verifyAsSuccessorOf)
            .orElseGet(() -> signed.verifyAsFirst(root(version).tenant()));
    return switch (verification) {
      case SignedTrustRoot.Verification.Valid _ -> "";
      case SignedTrustRoot.Verification.Invalid(String reason) -> reason;
    };
  }

  /// Returns a draft of the newest root if that is unsigned, else of its successor.
  public RootDraft nextDraft() {
    long newest = newestVersion();
    if (signedRoot(newest).signature().isBlank()) {
      return RootDraft.copyOf(root(newest), newest);
    }
    String missing = missingSignatures(newest);
    if (!missing.isEmpty()) {
      throw CliException.usageError(
          "%s lacks signatures (%s): sign it, or delete %s to change it"
              .formatted(rootFile(newest), missing, signatureFile(newest)));
    }
    return RootDraft.copyOf(root(newest), newest + 1);
  }

  /// Returns the file.
  public Path write(TrustRoot trustRoot) {
    return UserFile.write(rootFile(trustRoot.version()), trustRoot.write());
  }

  /// Adds a signature unless it exists.
  public void sign(long version, SigningKey key) {
    TrustRoot trustRoot = root(version);
    boolean isPermitted =
        isRootKey(trustRoot, key) || predecessor(version).filter(it -> isRootKey(it, key)).isPresent();
    if (!isPermitted) {
      throw CliException.usageError(
          "%s is not a root key of version %d or of its predecessor".formatted(key.keyId(), version));
    }
    byte[] text = signedRoot(version).root().getBytes(UTF_8);
    UserFile.addLine(signatureFile(version), key.sign(SignatureDomain.ROOT, text));
  }

  private static boolean isRootKey(TrustRoot trustRoot, SigningKey key) {
    return trustRoot.roleKeys(Role.ROOT).keys().contains(key.keyId());
  }
}
