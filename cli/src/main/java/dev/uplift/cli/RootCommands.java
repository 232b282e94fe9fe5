package dev.uplift.cli;

import dev.uplift.cli.keys.KeyFile;
import dev.uplift.cli.keys.RootDraft;
import dev.uplift.cli.keys.RootFolder;
import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.protocol.Root;
import dev.uplift.protocol.Root.Role;
import dev.uplift.protocol.SignedRoot;
import dev.uplift.protocol.SigningKey;
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
      @Mixin Output output,
      @Mixin RootPlace place,
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
      @Mixin RootTerms terms,
      @Option(
              names = "--version",
              defaultValue = "1",
              paramLabel = "N",
              description = "Above all there were, where a chain was lost; default: 1.")
          long version) {
    RootFolder folder = place.folder();
    if (Files.isDirectory(place.path()) && !folder.versions().isEmpty()) {
      throw CommandFailed.usage(
          place.path() + " has roots already; `uplift keys root add` makes the next");
    }
    RootDraft draft = RootDraft.first(tenant, version, terms.expiry());
    Map.of(Role.ROOT, rootKeys, Role.RELEASE, releaseKeys, Role.COMMAND, commandKeys)
        .forEach((role, files) -> files.forEach(it -> draft.add(role, KeyFile.readPublic(it))));
    return write(output, folder, terms.applied(draft));
  }

  @Command(name = "add", description = "Gives keys a role, in the next version.")
  int add(
      @Mixin Output output,
      @Mixin RootPlace place,
      @Mixin RootTerms terms,
      @Parameters(index = "0", paramLabel = "ROLE", description = "root, release or command.")
          Role role,
      @Parameters(
              index = "1..*",
              arity = "1..*",
              paramLabel = "FILE",
              description = "Public keys, PEM. The server uses the last command key.")
          List<Path> files) {
    return change(
        output,
        place,
        terms,
        draft -> {
          files.forEach(file -> draft.add(role, KeyFile.readPublic(file)));
          return draft;
        });
  }

  @Command(name = "remove", description = "Takes keys out, in the next version.")
  int remove(
      @Mixin Output output,
      @Mixin RootPlace place,
      @Mixin RootTerms terms,
      @Parameters(arity = "1..*", paramLabel = "KEY", description = "Ids of keys.")
          List<String> ids) {
    return change(
        output,
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
  int renew(@Mixin Output output, @Mixin RootPlace place, @Mixin RootTerms terms) {
    return change(output, place, terms, draft -> draft);
  }

  private static int change(
      Output output, RootPlace place, RootTerms terms, UnaryOperator<RootDraft> change) {
    RootFolder folder = place.folder();
    RootDraft draft = change.apply(folder.draft()).expiring(terms.expiry());
    return write(output, folder, terms.applied(draft));
  }

  private static int write(Output output, RootFolder folder, RootDraft draft) {
    Root root = draft.root();
    output.say(
        "%s is to be signed: %s".formatted(folder.write(root), folder.missing(root.version())));
    return 0;
  }

  @Command(
      name = "sign",
      description = {
        "Signs the newest version.",
        "Needs keys of the version before, and of itself, as many as each of them says."
      })
  int sign(
      @Mixin Output output,
      @Mixin RootPlace place,
      @Option(
              names = "--key",
              required = true,
              paramLabel = "FILE",
              description = "Private keys, PEM; may be given several times.")
          List<Path> files) {
    RootFolder folder = place.folder();
    long version = folder.newest();
    for (SigningKey key : files.stream().map(KeyFile::read).toList()) {
      folder.sign(version, key);
    }
    String missing = folder.missing(version);
    output.say(
        "version %d %s"
            .formatted(version, missing.isEmpty() ? "is signed by all it takes" : missing));
    return 0;
  }

  @Command(name = "show", description = "The roots of the folder, and who still has to sign.")
  int show(@Mixin Output output, @Mixin RootPlace place) {
    RootFolder folder = place.folder();
    output.say(RootText.of(folder));
    return 0;
  }

  @Command(name = "ask", description = "Which root the server has.")
  int ask(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(
              arity = "0..1",
              paramLabel = "N",
              description = "Of this version; default: the newest.")
          @Nullable Long version) {
    try (Rest rest = connection.open()) {
      output.show(rest.get(version == null ? "trust" : "trust/" + version), RootText::of);
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
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RootPlace place,
      @Option(
              names = "--anew",
              description =
                  "Begins another chain, where the root keys are lost; hosts have to be given it by"
                      + " hand. Needs a token of all tenants.")
          boolean anew,
      @Mixin DryRun dryRun) {
    RootFolder folder = place.folder();
    long newest = folder.newest();
    String missing = folder.missing(newest);
    if (!missing.isEmpty()) {
      throw CommandFailed.usage("version %d: %s".formatted(newest, missing));
    }
    try (Rest rest = connection.open()) {
      long first = anew ? newest : Math.max(folder.versions().getFirst(), known(rest) + 1);
      if (first > newest) {
        output.say("the server has version " + newest + " already");
        return 0;
      }
      String query =
          Rest.query(Map.of("validate", dryRun.only ? "true" : "", "anew", anew ? "true" : ""));
      // Of what is only checked, the next one could not follow.
      for (long version = first; version <= (dryRun.only ? first : newest); version++) {
        output.show(
            rest.send("PUT", "trust/" + version + query, body(folder.signed(version))),
            root -> dryRun.said(RootText.published(root)));
      }
    }
    return 0;
  }

  /// The version that the server has; 0 where it has none.
  private static long known(Rest rest) {
    JsonNode newest = rest.find("trust");
    return newest.path("version").asLong(0);
  }

  private static JsonNode body(SignedRoot root) {
    return Rest.JSON.createObjectNode().put("root", root.root()).put("signature", root.signature());
  }
}
