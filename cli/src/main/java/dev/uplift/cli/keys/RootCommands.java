package dev.uplift.cli.keys;

import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.signature.SigningKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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
      "Works on the files N.root.json and N.root.sig of a folder; only publish and fetch need a" + " server."
    })
final class RootCommands {
  @Command(name = "init", sortOptions = false, description = "Write the first root of a tenant, to be signed.")
  int init(
      @Mixin OutputOptions output,
      @Mixin RootFolderOption folder,
      @Option(names = "--tenant", required = true, paramLabel = "NAME", description = "The tenant of the root.")
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
              description = "Version; after the loss of a chain, higher than all before; default: 1.")
          long version) {
    RootFolder roots = folder.folder();
    if (Files.isDirectory(roots.folder()) && !roots.versions().isEmpty()) {
      throw CliException.usageError(roots.folder() + " already has roots; `uplift keys root add` writes the next");
    }
    RootDraft draft = RootDraft.create(tenant, version, rootOptions.expiry());
    Map.of(Role.ROOT, rootKeys, Role.RELEASE, releaseKeys, Role.COMMAND, commandKeys)
        .forEach((role, files) -> files.forEach(it -> draft.add(role, KeyFile.readPublic(it))));
    return write(output, roots, rootOptions.applyTo(draft));
  }

  @Command(name = "add", description = "Add keys to a role, in the next version.")
  int add(
      @Mixin OutputOptions output,
      @Mixin RootFolderOption folder,
      @Mixin RootOptions rootOptions,
      @Parameters(index = "0", paramLabel = "ROLE", description = "root, release or command.") Role role,
      @Parameters(
              index = "1..*",
              arity = "1..*",
              paramLabel = "FILE",
              description = "Public keys, PEM. The server uses the last command key.")
          List<Path> files) {
    return writeNext(
        output,
        folder.folder(),
        rootOptions,
        draft -> files.forEach(file -> draft.add(role, KeyFile.readPublic(file))));
  }

  @Command(name = "remove", description = "Remove keys, in the next version.")
  int remove(
      @Mixin OutputOptions output,
      @Mixin RootFolderOption folder,
      @Mixin RootOptions rootOptions,
      @Parameters(arity = "1..*", paramLabel = "KEY", description = "Key ids.") List<String> ids) {
    return writeNext(output, folder.folder(), rootOptions, draft -> ids.forEach(draft::remove));
  }

  @Command(
      name = "renew",
      description = "Write the next version with the same keys: a later expiry or other thresholds.")
  int renew(@Mixin OutputOptions output, @Mixin RootFolderOption folder, @Mixin RootOptions rootOptions) {
    return writeNext(output, folder.folder(), rootOptions, _ -> {});
  }

  private static int writeNext(
      OutputOptions output, RootFolder folder, RootOptions options, Consumer<RootDraft> change) {
    RootDraft draft = folder.nextDraft();
    change.accept(draft);
    return write(output, folder, options.applyTo(draft.expireAt(options.expiry())));
  }

  private static int write(OutputOptions output, RootFolder folder, RootDraft draft) {
    TrustRoot trustRoot = draft.build();
    output.printLine(
        "%s needs signatures: %s".formatted(folder.write(trustRoot), folder.missingSignatures(trustRoot.version())));
    return 0;
  }

  @Command(
      name = "sign",
      description = {
        "Sign the newest version.",
        "Needs as many keys of the previous version, and of itself, as each of them requires."
      })
  int sign(
      @Mixin OutputOptions output,
      @Mixin RootFolderOption folder,
      @Option(
              names = "--key",
              required = true,
              paramLabel = "FILE",
              description = "Private key (PEM); may be repeated.")
          List<Path> files) {
    RootFolder roots = folder.folder();
    long version = roots.newestVersion();
    for (SigningKey key : files.stream().map(KeyFile::readPrivate).toList()) {
      roots.sign(version, key);
    }
    String missing = roots.missingSignatures(version);
    output.printLine("version %d %s".formatted(version, missing.isEmpty() ? "has all required signatures" : missing));
    return 0;
  }

  @Command(name = "show", description = "Show the roots of the folder and missing signatures.")
  int show(@Mixin OutputOptions output, @Mixin RootFolderOption folder) {
    RootFolder roots = folder.folder();
    output.printLine(RootFormatter.of(roots));
    return 0;
  }

  @Command(name = "fetch", description = "Show the root that the server has.")
  int fetch(
      @Mixin ServerOptions server,
      @Parameters(arity = "0..1", paramLabel = "N", description = "Version; default: the newest.")
          @Nullable Long version) {
    return server.print(rest -> rest.get(version == null ? "trust" : "trust/" + version), RootFormatter::of);
  }

  @Command(
      name = "publish",
      description = {
        "Publish to the server the versions that it does not have, one by one.",
        "From then on hosts use the newest."
      })
  int publish(
      @Mixin ServerOptions server,
      @Mixin RootFolderOption folder,
      @Option(
              names = "--new-chain",
              description =
                  "Begin a new chain after the loss of root keys; hosts need it by hand. Needs a"
                      + " token for all tenants.")
          boolean newChain,
      @Mixin DryRunOption dryRun) {
    RootFolder roots = folder.folder();
    long newest = roots.newestVersion();
    String missing = roots.missingSignatures(newest);
    if (!missing.isEmpty()) {
      throw CliException.usageError("version %d: %s".formatted(newest, missing));
    }
    try (RestClient rest = server.connect()) {
      long first = newChain ? newest : Math.max(roots.versions().getFirst(), serverVersion(rest) + 1);
      if (first > newest) {
        server.output().printLine("the server already has version " + newest);
        return 0;
      }
      String query =
          RestClient.queryString(Map.of("validate", dryRun.enabled ? "true" : "", "new_chain", newChain ? "true" : ""));
      // A dry run stores nothing that the next version could follow.
      for (long version = first; version <= (dryRun.enabled ? first : newest); version++) {
        JsonNode published = rest.send("PUT", "trust/" + version + query, roots.requestBody(version));
        server.output().printResult(published, root -> dryRun.resultText(RootFormatter.publishedLine(root)));
      }
    }
    return 0;
  }

  /// Returns the server's newest version; 0 if it has none.
  private static long serverVersion(RestClient rest) {
    JsonNode newest = rest.getIfPresent("trust");
    return newest.path("version").asLong(0);
  }
}
