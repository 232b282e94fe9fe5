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

/// Trust roots of a tenant, in a folder and on the server.
@Command(
    name = "root",
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Manage which keys a tenant trusts, and for what: root, release, command.",
      "Works on the files N.root.json and N.root.sig of a folder; only publish and fetch need a"
          + " server."
    })
final class RootCommands {
  @Command(
      name = "init",
      sortOptions = false,
      description = "Write the first root of a tenant, to be signed.")
  int init(
      @Mixin OutputOptions outputOptions,
      @Mixin RootFolderOption folderOption,
      @Option(
              names = "--tenant",
              required = true,
              paramLabel = "NAME",
              description = "The tenant of the root.")
          String tenant,
      @Option(
              names = "--root-key",
              required = true,
              paramLabel = "FILE",
              description = "Public key (PEM) that may sign roots; may be repeated.")
          List<Path> rootKeys,
      @Option(
              names = "--release-key",
              required = true,
              paramLabel = "FILE",
              description = "Public key (PEM) that may sign releases; may be repeated.")
          List<Path> releaseKeys,
      @Option(
              names = "--command-key",
              required = true,
              paramLabel = "FILE",
              description =
                  "Public key (PEM) of the server, which signs commands; may be repeated, the"
                      + " server uses the last.")
          List<Path> commandKeys,
      @Mixin RootOptions rootOptions,
      @Option(
              names = "--version",
              defaultValue = "1",
              paramLabel = "N",
              description =
                  "Version; after the loss of a chain, higher than all before; default: 1.")
          long version) {
    RootFolder folder = folderOption.folder();
    if (Files.isDirectory(folderOption.path()) && !folder.versions().isEmpty()) {
      throw CliException.usageError(
          folderOption.path() + " already has roots; `uplift keys root add` writes the next");
    }
    RootDraft draft = RootDraft.create(tenant, version, rootOptions.expiry());
    Map.of(Role.ROOT, rootKeys, Role.RELEASE, releaseKeys, Role.COMMAND, commandKeys)
        .forEach((role, files) -> files.forEach(it -> draft.add(role, KeyFile.readPublic(it))));
    return write(outputOptions, folder, rootOptions.applyTo(draft));
  }

  @Command(name = "add", description = "Add keys to a role, in the next version.")
  int add(
      @Mixin OutputOptions outputOptions,
      @Mixin RootFolderOption folderOption,
      @Mixin RootOptions rootOptions,
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
        folderOption,
        rootOptions,
        draft -> {
          files.forEach(file -> draft.add(role, KeyFile.readPublic(file)));
          return draft;
        });
  }

  @Command(name = "remove", description = "Remove keys, in the next version.")
  int remove(
      @Mixin OutputOptions outputOptions,
      @Mixin RootFolderOption folderOption,
      @Mixin RootOptions rootOptions,
      @Parameters(arity = "1..*", paramLabel = "KEY", description = "Key ids.") List<String> ids) {
    return writeNext(
        outputOptions,
        folderOption,
        rootOptions,
        draft -> {
          ids.forEach(draft::remove);
          return draft;
        });
  }

  @Command(
      name = "renew",
      description =
          "Write the next version with the same keys: a later expiry or other thresholds.")
  int renew(
      @Mixin OutputOptions outputOptions,
      @Mixin RootFolderOption folderOption,
      @Mixin RootOptions rootOptions) {
    return writeNext(outputOptions, folderOption, rootOptions, draft -> draft);
  }

  private static int writeNext(
      OutputOptions outputOptions,
      RootFolderOption folderOption,
      RootOptions rootOptions,
      UnaryOperator<RootDraft> change) {
    RootFolder folder = folderOption.folder();
    RootDraft draft = change.apply(folder.nextDraft()).expireAt(rootOptions.expiry());
    return write(outputOptions, folder, rootOptions.applyTo(draft));
  }

  private static int write(OutputOptions outputOptions, RootFolder folder, RootDraft draft) {
    TrustRoot trustRoot = draft.build();
    outputOptions.printLine(
        "%s needs signatures: %s"
            .formatted(folder.write(trustRoot), folder.missingSignatures(trustRoot.version())));
    return 0;
  }

  @Command(
      name = "sign",
      description = {
        "Sign the newest version.",
        "Needs as many keys of the previous version, and of itself, as each of them requires."
      })
  int sign(
      @Mixin OutputOptions outputOptions,
      @Mixin RootFolderOption folderOption,
      @Option(
              names = "--key",
              required = true,
              paramLabel = "FILE",
              description = "Private key (PEM); may be repeated.")
          List<Path> files) {
    RootFolder folder = folderOption.folder();
    long version = folder.newestVersion();
    for (SigningKey key : files.stream().map(KeyFile::readPrivate).toList()) {
      folder.sign(version, key);
    }
    String missing = folder.missingSignatures(version);
    outputOptions.printLine(
        "version %d %s"
            .formatted(version, missing.isEmpty() ? "has all required signatures" : missing));
    return 0;
  }

  @Command(name = "show", description = "Show the roots of the folder and missing signatures.")
  int show(@Mixin OutputOptions outputOptions, @Mixin RootFolderOption folderOption) {
    RootFolder folder = folderOption.folder();
    outputOptions.printLine(RootFormatter.of(folder));
    return 0;
  }

  @Command(name = "fetch", description = "Show the root that the server has.")
  int fetch(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(arity = "0..1", paramLabel = "N", description = "Version; default: the newest.")
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
        "Publish to the server the versions that it does not have, one by one.",
        "From then on hosts use the newest."
      })
  int publish(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RootFolderOption folderOption,
      @Option(
              names = "--new-chain",
              description =
                  "Begin a new chain after the loss of root keys; hosts need it by hand. Needs a"
                      + " token for all tenants.")
          boolean newChain,
      @Mixin DryRunOption dryRunOption) {
    RootFolder folder = folderOption.folder();
    long newest = folder.newestVersion();
    String missing = folder.missingSignatures(newest);
    if (!missing.isEmpty()) {
      throw CliException.usageError("version %d: %s".formatted(newest, missing));
    }
    try (RestClient restClient = connectionOptions.connect()) {
      long first =
          newChain ? newest : Math.max(folder.versions().getFirst(), serverVersion(restClient) + 1);
      if (first > newest) {
        outputOptions.printLine("the server already has version " + newest);
        return 0;
      }
      String query =
          RestClient.queryString(
              Map.of(
                  "validate",
                  dryRunOption.enabled ? "true" : "",
                  "new_chain",
                  newChain ? "true" : ""));
      // A dry run stores nothing that the next version could follow.
      for (long version = first; version <= (dryRunOption.enabled ? first : newest); version++) {
        outputOptions.printResult(
            restClient.send("PUT", "trust/" + version + query, body(folder.signedRoot(version))),
            root -> dryRunOption.resultText(RootFormatter.publishedLine(root)));
      }
    }
    return 0;
  }

  /// Returns the server's newest version; 0 if it has none.
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
