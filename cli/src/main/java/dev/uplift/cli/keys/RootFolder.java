package dev.uplift.cli.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.Root;
import dev.uplift.protocol.Root.Role;
import dev.uplift.protocol.SignedRoot;
import dev.uplift.protocol.SigningKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The roots of one tenant as files: `N.root.json`, and `N.root.sig` with a line per signature.
/// What somebody has signed is never changed.
public record RootFolder(Path folder) {
  private static final Pattern NAME = Pattern.compile("(\\d{1,18})\\.root\\.json");

  /// In rising order.
  public List<Long> versions() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> NAME.matcher(String.valueOf(file.getFileName())))
          .filter(Matcher::matches)
          .map(name -> Long.parseLong(name.group(1)))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new CommandFailed(CommandFailed.USAGE, folder + " cannot be read (" + e + ")", e);
    }
  }

  public long newest() {
    List<Long> versions = versions();
    if (versions.isEmpty()) {
      throw CommandFailed.usage(
          "there is no root in " + folder + " yet; `uplift keys root init` makes the first");
    }
    return versions.getLast();
  }

  Path text(long version) {
    return folder.resolve(version + ".root.json");
  }

  Path signature(long version) {
    return folder.resolve(version + ".root.sig");
  }

  public SignedRoot signed(long version) {
    try {
      Path signature = signature(version);
      return new SignedRoot(
          Files.readString(text(version)),
          Files.exists(signature) ? Files.readString(signature) : "");
    } catch (IOException e) {
      throw new CommandFailed(
          CommandFailed.USAGE, text(version) + " cannot be read (" + e + ")", e);
    }
  }

  public Root root(long version) {
    try {
      return Root.read(signed(version).root().getBytes(UTF_8));
    } catch (MalformedMessage e) {
      throw new CommandFailed(
          CommandFailed.USAGE, text(version) + " is no root: " + e.getMessage(), e);
    }
  }

  /// The one that it has to follow; none of the first that is here.
  public Optional<Root> before(long version) {
    return versions().contains(version - 1) ? Optional.of(root(version - 1)) : Optional.empty();
  }

  /// Why it does not count yet; empty where enough have signed it.
  public String missing(long version) {
    SignedRoot signed = signed(version);
    SignedRoot.Judgement judgement =
        before(version).map(signed::after).orElseGet(() -> signed.alone(root(version).tenant()));
    return switch (judgement) {
      case SignedRoot.Judgement.Good _ -> "";
      case SignedRoot.Judgement.Refused(String why) -> why;
    };
  }

  /// The newest one, while nobody has signed it, else one after it: to be changed.
  public RootDraft draft() {
    long newest = newest();
    if (signed(newest).signature().isBlank()) {
      return RootDraft.like(root(newest), newest);
    }
    String missing = missing(newest);
    if (!missing.isEmpty()) {
      throw CommandFailed.usage(
          "%s is signed, but not by enough (%s): have it signed, or delete %s to change it"
              .formatted(text(newest), missing, signature(newest)));
    }
    return RootDraft.like(root(newest), newest + 1);
  }

  /// Returns where.
  public Path write(Root root) {
    Path file = text(root.version());
    try {
      Files.createDirectories(folder);
      return Files.write(file, root.write());
    } catch (IOException e) {
      throw new CommandFailed(CommandFailed.REFUSED, "cannot write " + file + " (" + e + ")", e);
    }
  }

  /// Adds a signature, unless it is there.
  public void sign(long version, SigningKey key) {
    Root root = root(version);
    boolean mayBe =
        isOwner(root, key) || before(version).filter(it -> isOwner(it, key)).isPresent();
    if (!mayBe) {
      throw CommandFailed.usage(
          "%s is no root key of version %d or of the one before".formatted(key.keyId(), version));
    }
    SignedRoot signed = signed(version);
    String line = key.sign(Purpose.ROOT, signed.root().getBytes(UTF_8));
    if (signed.signature().lines().noneMatch(line::equals)) {
      Lines.add(signature(version), signed.signature(), line);
    }
  }

  private static boolean isOwner(Root root, SigningKey key) {
    return root.holders(Role.ROOT).keys().contains(key.keyId());
  }
}
