package dev.uplift.cli.release;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.keys.KeyFile;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.option.StepTimeoutOption;
import dev.uplift.cli.release.UnsignedRelease.Artifact;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.JsonTable;
import dev.uplift.protocol.signature.SigningKey;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Releases. `sign` works offline; the others need a server.
@Command(
    name = "release",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = "Sign, publish and list releases.")
public final class ReleaseCommands {
  private static final String RELEASE_FILE = "release.json";
  private static final String SIGNATURE_FILE = "release.sig";

  private static final JsonTable TABLE =
      new JsonTable()
          .column("PACKAGE", "package")
          .column("VERSION", "version")
          .column("SEQUENCE", "sequence")
          .column("KIND", "kind")
          .column("SIZE", "/artifact/size")
          .column("CREATED", "created_at");

  @Command(name = "sign", sortOptions = false, description = "Write release.json and release.sig. Works offline.")
  int sign(
      @Mixin OutputOptions output,
      @Option(names = "--key", required = true, paramLabel = "FILE", description = "Private key (PEM).") Path key,
      @Option(
              names = "--tenant",
              defaultValue = "",
              paramLabel = "NAME",
              description = "Only hosts of this tenant accept it; default: all hosts that trust the key.")
          String tenant,
      @Option(names = "--package", required = true, paramLabel = "NAME") String name,
      @Option(
              names = "--kind",
              required = true,
              paramLabel = "KIND",
              description = "Driver that installs it: bundle, script, agent, simulated.")
          String kind,
      @Option(names = "--version", required = true, paramLabel = "VERSION") String version,
      @Option(
              names = "--sequence",
              required = true,
              paramLabel = "N",
              description = "Order of releases: a newer one has a higher sequence.")
          long sequence,
      @Option(names = "--artifact", paramLabel = "FILE", description = "File that hosts download.")
          @Nullable Path artifact,
      @Option(names = "--argument", paramLabel = "NAME=TEXT", description = "Argument for the driver; may be repeated.")
          @Nullable Map<String, String> arguments,
      @Option(
              names = "--installs-over",
              paramLabel = "VERSION",
              description = "Version that it may replace; may be repeated; default: any.")
          @Nullable List<String> installsOver,
      @Mixin StepTimeoutOption stepTimeouts,
      @Option(
              names = "--folder",
              paramLabel = "DIR",
              defaultValue = ".",
              description = "Folder of both files; default: here.")
          Path folder) {
    UnsignedRelease release =
        new UnsignedRelease(
            tenant,
            name,
            kind,
            version,
            sequence,
            Optional.ofNullable(artifact).map(Artifact::of),
            arguments == null ? Map.of() : arguments,
            installsOver == null ? List.of() : installsOver,
            stepTimeouts.toReleaseJson(),
            Instant.now());
    SigningKey signer = KeyFile.readPrivate(key);
    byte[] text = release.toBytes();
    var _ = UserFile.write(folder.resolve(RELEASE_FILE), text);
    var _ = UserFile.write(folder.resolve(SIGNATURE_FILE), UnsignedRelease.sign(signer, text).getBytes(UTF_8));
    output.printLine("%s %s, signed by %s: %s".formatted(name, version, signer.keyId(), folder));
    return 0;
  }

  @Command(name = "publish", description = "Publish a signed release: its artifact first, then the release.")
  int publish(
      @Mixin ServerOptions server,
      @Option(names = "--artifact", paramLabel = "FILE", description = "The file that was signed.")
          @Nullable Path artifact,
      @Parameters(
              paramLabel = "DIR",
              arity = "0..1",
              defaultValue = ".",
              description = "Folder of release.json and release.sig; default: here.")
          Path folder,
      @Mixin DryRunOption dryRun) {
    String text = UserFile.readText(folder.resolve(RELEASE_FILE));
    String signature = UserFile.readText(folder.resolve(SIGNATURE_FILE));
    return server.print(
        rest -> publish(rest, text, signature, artifact, dryRun.query()),
        release ->
            dryRun.resultText(
                "%s %s is published"
                    .formatted(release.path("package").asString("?"), release.path("version").asString("?"))));
  }

  /// Publishes a release. A repeat with the same bytes changes nothing.
  private static JsonNode publish(
      RestClient rest, String text, String signature, @Nullable Path artifact, String query) {
    Optional<String> digest = parse(text).path("artifact").path("sha256").asStringOpt();
    if (digest.isPresent() && artifact == null) {
      throw CliException.usageError("this release has an artifact: name its file with --artifact");
    }
    if (artifact != null && digest.isPresent()) {
      String found = Artifact.of(artifact).sha256();
      if (!found.equals(digest.get())) {
        throw CliException.usageError(
            "%s is not the signed file: its SHA-256 is %s, not %s".formatted(artifact, found, digest.get()));
      }
      rest.upload("artifacts/" + found + query, artifact);
    }
    RequestFields body = new RequestFields().put("release", text).put("signature", signature);
    return rest.send("POST", "releases" + query, body.json());
  }

  @Command(name = "list", description = "List all releases.")
  int list(
      @Mixin ServerOptions server, @Option(names = "--package", paramLabel = "NAME", defaultValue = "") String name) {
    return server.printAll("releases", Map.of("package", name), TABLE);
  }

  @Command(name = "show", description = "Show one release.")
  int show(
      @Mixin ServerOptions server,
      @Parameters(index = "0", paramLabel = "PACKAGE") String name,
      @Parameters(index = "1", paramLabel = "VERSION") String version) {
    String path = "releases/%s/%s".formatted(RestClient.pathSegment(name), RestClient.pathSegment(version));
    return server.print(rest -> rest.get(path), TABLE);
  }

  @Command(name = "artifact", description = "Show whether the server has an artifact, and its size.")
  int artifact(@Mixin ServerOptions server, @Parameters(paramLabel = "SHA256") String digest) {
    JsonTable table =
        new JsonTable()
            .column("SHA256", found -> found.path("sha256").asString(digest))
            .column("SIZE", found -> found.path("size").asString(found.path("size_bytes").asString("")));
    return server.print(rest -> rest.get("artifacts/" + RestClient.pathSegment(digest)), table);
  }

  private static JsonNode parse(String text) {
    try {
      return RestClient.JSON.readTree(text);
    } catch (JacksonException e) {
      throw new CliException(CliException.USAGE, RELEASE_FILE + " is not JSON: " + e.getOriginalMessage(), e);
    }
  }
}
