package dev.uplift.cli.upgrade;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Collects everything that the server knows of an upgrade, for a bug report.
@Command(
    name = "report",
    sortOptions = false,
    description = {
      "Write one zip file with everything about an upgrade, for a bug report: its state, plan, timeline and logs,",
      "its device, hosts and release, its audit, and the versions. Keys, tokens and passwords are left out."
    })
final class UpgradeReportCommand implements Callable<Integer> {
  @Mixin private ServerOptions server = new ServerOptions();

  @Parameters(paramLabel = "ID", description = "The upgrade.")
  private String id = "";

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "The file; default: upgrade-ID.zip. A file of this name is replaced.")
  private @Nullable Path output;

  @Spec private CommandSpec command = CommandSpec.create();

  @Override
  public Integer call() {
    Path file = output == null ? Path.of("upgrade-" + id.replaceAll("[^A-Za-z0-9_-]", "_") + ".zip") : output;
    try (RestClient rest = server.connect()) {
      JsonNode upgrade = rest.get("upgrades/" + RestClient.pathSegment(id));
      var archive = new ReportArchive(new SecretRedactor(rest.token()));
      addParts(archive, rest, upgrade);
      var _ = UserFile.write(file, archive.toZip());
    }
    ObjectNode result = RestClient.JSON.createObjectNode().put("file", file.toString());
    server.output().printResult(result, _ -> "wrote " + file + "; look through it before you pass it on");
    return 0;
  }

  private void addParts(ReportArchive archive, RestClient rest, JsonNode upgrade) {
    String device = upgrade.path("device").asString("");
    String release =
        RestClient.pathSegment(upgrade.path("package").asString(""))
            + "/"
            + RestClient.pathSegment(upgrade.path("version").asString(""));
    archive.add("versions.json", versions());
    archive.add("upgrade.json", upgrade);
    addPart(archive, "logs.json", () -> rest.getAll("upgrades/" + RestClient.pathSegment(id) + "/log", Map.of()));
    addPart(archive, "audit.json", () -> rest.getAll("audit", Map.of("target", "upgrade/" + id)));
    addPart(archive, "device.json", () -> rest.get("devices/" + RestClient.pathSegment(device)));
    addPart(archive, "windows.json", () -> rest.get("devices/" + RestClient.pathSegment(device) + "/windows"));
    addPart(archive, "hosts.json", () -> rest.getAll("hosts", Map.of("device", device)));
    addPart(archive, "upgrades-of-device.json", () -> rest.getAll("upgrades", Map.of("device", device)));
    addPart(archive, "release.json", () -> rest.get("releases/" + release));
    addPart(archive, "health.json", rest::health);
  }

  /// A part that cannot be read must not cost the others.
  private static void addPart(ReportArchive archive, String name, Supplier<JsonNode> part) {
    try {
      archive.add(name, part.get());
    } catch (CliException failed) {
      archive.add(name, RestClient.JSON.createObjectNode().put("missing", failed.getMessage()));
    }
  }

  private JsonNode versions() {
    return RestClient.JSON
        .createObjectNode()
        .put("written_at", Instant.now().toString())
        .put("cli", String.join(" ", command.root().version()))
        .put("java", Runtime.version().toString())
        .put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
  }
}
