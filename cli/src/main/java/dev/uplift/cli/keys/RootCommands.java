package dev.uplift.cli.keys;

import dev.uplift.cli.option.ConnectionOptions;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.signature.SigningKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/// The roots of a tenant, in a folder of files and on the server.
@Command(
    name = "root",
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Says which keys count in a tenant, and for what: root, release, command.",
      "Works on the files N.root.json and N.root.sig of a folder; publish and ask talk to a server."
    })
final class RootCommands {
  @Command(
      name = "init",
      sortOptions = false,
      description = "Writes the first root of a tenant, to be signed.")
  int init(
      @Mixin OutputOptions outputOptions,
      @Mixin RootFolderOption place,
      @Option(
              names = "--tenant",
              required = true,
              paramLabel = "NAME",
              description = "Whose root it is; it counts in no other.")
          String tenant,
      @Option(
              names = "--root-key",
              required = true,
              paramLabel = "FILE",
              description = "A public key, PEM, of who may say whose keys count; may be repeated.")
          List<Path> rootKeys,
      @Option(
              names = "--release-key",
              required = true,
              paramLabel = "FILE",
              description = "A public key, PEM, of who makes releases; may be repeated.")
          List<Path> releaseKeys,
      @Option(
              names = "--command-key",
              required = true,
              paramLabel = "FILE",
              description = "A public key, PEM, of the server; may be repeated, it uses the last.")
          List<Path> commandKeys,
      @Mixin RootOptions terms,
      @Option(
              names = "--version",
              defaultValue = "1",
              paramLabel = "N",
              description = "Above all there were, where a chain was lost; default: 1.")
          long version) {
    RootFolder folder = place.folder();
    if (Files.isDirectory(place.path()) && !folder.versions().isEmpty()) {
      throw CliException.usageError(
          place.path() + " has roots already; `uplift keys root add` makes the next");
    }
    RootDraft draft = RootDraft.create(tenant, version, terms.expiry());
    Map.of(Role.ROOT, rootKeys, Role.RELEASE, releaseKeys, Role.COMMAND, commandKeys)
        .forEach((role, files) -> files.forEach(it -> draft.add(role, KeyFile.readPublic(it))));
    return write(outputOptions, folder, terms.applyTo(draft));
  }

  @Command(name = "add", description = "Gives keys a role, in the next version.")
  int add(
      @Mixin OutputOptions outputOptions,
      @Mixin RootFolderOption place,
      @Mixin RootOptions terms,
      @Parameters(index = "0", paramLabel = "ROLE", description = "root, release or command.")
          Role role,
      @Parameters(
              index = "1..*",
              arity = "1..*",
              paramLabel = "FILE",
              description = "Public keys, PEM. The server uses the last command key.")
          List<Path> files) {
    return writeNext(
        outputOptions,
        place,
        terms,
        draft -> {
          files.forEach(file -> draft.add(role, KeyFile.readPublic(file)));
          return draft;
        });
  }

  @Command(name = "remove", description = "Takes keys out, in the next version.")
  int remove(
      @Mixin OutputOptions outputOptions,
      @Mixin RootFolderOption place,
      @Mixin RootOptions terms,
      @Parameters(arity = "1..*", paramLabel = "KEY", description = "Ids of keys.")
          List<String> ids) {
    return writeNext(
        outputOptions,
        place,
        terms,
        draft -> {
          ids.forEach(draft::remove);
          return draft;
        });
  }

  @Command(
      name = "renew",
      description = "Writes the next version with the same keys: a later expiry, other thresholds.")
  int renew(
      @Mixin OutputOptions outputOptions, @Mixin RootFolderOption place, @Mixin RootOptions terms) {
    return writeNext(outputOptions, place, terms, draft -> draft);
  }

  private static int writeNext(
      OutputOptions outputOptions,
      RootFolderOption place,
      RootOptions terms,
      UnaryOperator<RootDraft> change) {
    RootFolder folder = place.folder();
    RootDraft draft = change.apply(folder.nextDraft()).expireAt(terms.expiry());
    return write(outputOptions, folder, terms.applyTo(draft));
  }

  private static int write(OutputOptions outputOptions, RootFolder folder, RootDraft draft) {
    TrustRoot trustRoot = draft.build();
    outputOptions.printLine(
        "%s is to be signed: %s"
            .formatted(folder.write(trustRoot), folder.missingSignatures(trustRoot.version())));
    return 0;
  }

  @Command(
      name = "sign",
      description = {
        "Signs the newest version.",
        "Needs keys of the version before, and of itself, as many as each of them says."
      })
  int sign(
      @Mixin OutputOptions outputOptions,
      @Mixin RootFolderOption place,
      @Option(
              names = "--key",
              required = true,
              paramLabel = "FILE",
              description = "Private keys, PEM; may be given several times.")
          List<Path> files) {
    RootFolder folder = place.folder();
    long version = folder.newestVersion();
    for (SigningKey key : files.stream().map(KeyFile::readPrivate).toList()) {
      folder.sign(version, key);
    }
    String missing = folder.missingSignatures(version);
    outputOptions.printLine(
        "version %d %s"
            .formatted(version, missing.isEmpty() ? "is signed by all it takes" : missing));
    return 0;
  }

  @Command(name = "show", description = "The roots of the folder, and who still has to sign.")
  int show(@Mixin OutputOptions outputOptions, @Mixin RootFolderOption place) {
    RootFolder folder = place.folder();
    outputOptions.printLine(RootFormatter.of(folder));
    return 0;
  }

  @Command(name = "ask", description = "Which root the server has.")
  int fetch(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(
              arity = "0..1",
              paramLabel = "N",
              description = "Of this version; default: the newest.")
          @Nullable Long version) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.get(version == null ? "trust" : "trust/" + version), RootFormatter::of);
    }
    return 0;
  }

  @Command(
      name = "publish",
      description = {
        "Brings the server what it does not have yet, version by version.",
        "From then on hosts go by it."
      })
  int publish(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RootFolderOption place,
      @Option(
              names = "--anew",
              description =
                  "Begins another chain, where the root keys are lost; hosts have to be given it by"
                      + " hand. Needs a token of all tenants.")
          boolean anew,
      @Mixin DryRunOption dryRunOption) {
    RootFolder folder = place.folder();
    long newest = folder.newestVersion();
    String missing = folder.missingSignatures(newest);
    if (!missing.isEmpty()) {
      throw CliException.usageError("version %d: %s".formatted(newest, missing));
    }
    try (RestClient restClient = connectionOptions.connect()) {
      long first =
          anew ? newest : Math.max(folder.versions().getFirst(), serverVersion(restClient) + 1);
      if (first > newest) {
        outputOptions.printLine("the server has version " + newest + " already");
        return 0;
      }
      String query =
          RestClient.queryString(
              Map.of("validate", dryRunOption.enabled ? "true" : "", "anew", anew ? "true" : ""));
      // Of what is only checked, the next one could not follow.
      for (long version = first; version <= (dryRunOption.enabled ? first : newest); version++) {
        outputOptions.printResult(
            restClient.send("PUT", "trust/" + version + query, body(folder.signedRoot(version))),
            root -> dryRunOption.resultText(RootFormatter.publishedLine(root)));
      }
    }
    return 0;
  }

  /// The version that the server has; 0 where it has none.
  private static long serverVersion(RestClient restClient) {
    JsonNode newest = restClient.getIfPresent("trust");
    return newest.path("version").asLong(0);
  }

  private static JsonNode body(SignedTrustRoot root) {
    return RestClient.JSON
        .createObjectNode()
        .put("root", root.root())
        .put("signature", root.signature());
  }
}
