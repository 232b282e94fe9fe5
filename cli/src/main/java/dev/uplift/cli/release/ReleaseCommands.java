package dev.uplift.cli.release;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.option.ConnectionOptions;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.release.UnsignedRelease.Artifact;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import java.io.IOException;
import java.nio.file.Files;
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
    synopsisSubcommandLabel = "COMMAND",
    description = "Sign, publish and list releases.")
public final class ReleaseCommands {
  private static final String RELEASE_FILE = "release.json";
  private static final String SIGNATURE_FILE = "release.sig";

  @Command(
      name = "sign",
      sortOptions = false,
      description = "Write release.json and release.sig. Works offline.")
  int sign(
      @Mixin OutputOptions outputOptions,
      @Option(
              names = "--key",
              required = true,
              paramLabel = "FILE",
              description = "Private key (PEM).")
          Path key,
      @Option(
              names = "--tenant",
              defaultValue = "",
              paramLabel = "NAME",
              description =
                  "Only hosts of this tenant accept it; default: all hosts that trust the key.")
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
      @Option(
              names = "--argument",
              paramLabel = "NAME=TEXT",
              description = "Argument for the driver; may be repeated.")
          @Nullable Map<String, String> arguments,
      @Option(
              names = "--installs-over",
              paramLabel = "VERSION",
              description = "Version that it may replace; may be repeated; default: any.")
          @Nullable List<String> installsOver,
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
            Instant.now());
    ReleaseSigner signer = ReleaseSigner.read(key);
    byte[] text = release.toBytes();
    write(folder, RELEASE_FILE, text);
    write(folder, SIGNATURE_FILE, signer.sign(text).getBytes(UTF_8));
    outputOptions.printLine(
        "%s %s, signed by %s: %s".formatted(name, version, signer.keyId(), folder));
    return 0;
  }

  @Command(
      name = "publish",
      description = "Publish a signed release: its artifact first, then the release.")
  int publish(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Option(names = "--artifact", paramLabel = "FILE", description = "The file that was signed.")
          @Nullable Path artifact,
      @Parameters(
              paramLabel = "DIR",
              arity = "0..1",
              defaultValue = ".",
              description = "Folder of release.json and release.sig; default: here.")
          Path folder,
      @Mixin DryRunOption dryRunOption) {
    String text = read(folder.resolve(RELEASE_FILE));
    String signature = read(folder.resolve(SIGNATURE_FILE));
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          publish(restClient, text, signature, artifact, dryRunOption.query()),
          release -> dryRunOption.resultText(publishedLine(release)));
    }
    return 0;
  }

  /// Publishes a release. A repeat with the same bytes changes nothing.
  static JsonNode publish(
      RestClient restClient, String text, String signature, @Nullable Path artifact) {
    return publish(restClient, text, signature, artifact, "");
  }

  private static JsonNode publish(
      RestClient restClient, String text, String signature, @Nullable Path artifact, String query) {
    Optional<String> digest = parse(text).path("artifact").path("sha256").asStringOpt();
    if (digest.isPresent() && artifact == null) {
      throw CliException.usageError("this release has an artifact: name its file with --artifact");
    }
    if (artifact != null && digest.isPresent()) {
      String found = Artifact.of(artifact).sha256();
      if (!found.equals(digest.get())) {
        throw CliException.usageError(
            artifact
                + " is not the signed file: its SHA-256 is "
                + found
                + ", not "
                + digest.get());
      }
      restClient.upload("artifacts/" + found + query, artifact);
    }
    var body = RestClient.JSON.createObjectNode().put("release", text).put("signature", signature);
    return restClient.send("POST", "releases" + query, body);
  }

  @Command(name = "list", description = "List all releases.")
  int list(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Option(names = "--package", paramLabel = "NAME", defaultValue = "") String name) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.getAll("releases", Map.of("package", name)), ReleaseCommands::table);
    }
    return 0;
  }

  @Command(name = "show", description = "Show one release.")
  int show(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(index = "0", paramLabel = "PACKAGE") String name,
      @Parameters(index = "1", paramLabel = "VERSION") String version) {
    String path =
        "releases/%s/%s".formatted(RestClient.pathSegment(name), RestClient.pathSegment(version));
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.get(path), one -> table(RestClient.JSON.createArrayNode().add(one)));
    }
    return 0;
  }

  @Command(
      name = "artifact",
      description = "Show whether the server has an artifact, and its size.")
  int artifact(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "SHA256") String digest) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.get("artifacts/" + RestClient.pathSegment(digest)),
          found ->
              new Table("SHA256", "SIZE")
                  .addRow(
                      found.path("sha256").asString(digest),
                      found.path("size").asString(found.path("size_bytes").asString("")))
                  .toString());
    }
    return 0;
  }

  private static String table(JsonNode releases) {
    Table table = new Table("PACKAGE", "VERSION", "SEQUENCE", "KIND", "SIZE", "CREATED");
    for (JsonNode release : releases) {
      table.addRow(
          release.path("package").asString(""),
          release.path("version").asString(""),
          release.path("sequence").asString(""),
          release.path("kind").asString(""),
          release.path("artifact").path("size").asString(""),
          release.path("created_at").asString(""));
    }
    return table.toString();
  }

  private static String publishedLine(JsonNode release) {
    return release.path("package").asString("?")
        + " "
        + release.path("version").asString("?")
        + " is published";
  }

  private static JsonNode parse(String text) {
    try {
      return RestClient.JSON.readTree(text);
    } catch (JacksonException e) {
      throw new CliException(
          CliException.USAGE, RELEASE_FILE + " is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static void write(Path folder, String name, byte[] bytes) {
    try {
      Files.createDirectories(folder);
      Files.write(folder.resolve(name), bytes);
    } catch (IOException e) {
      throw new CliException(
          CliException.FAILED, "cannot write " + folder.resolve(name) + " (" + e + ")", e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new CliException(CliException.USAGE, file + " cannot be read (" + e + ")", e);
    }
  }
}
