package dev.uplift.cli.barrier;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.option.DeviceSelectionOptions;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.rest.RestClient;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// The fields of a barrier: from a file, options, or both; options replace those of the file.
final class BarrierOptions {
  @Option(
      names = "--barrier",
      paramLabel = "FILE",
      description = "The barrier as a JSON object, in the format of the REST API.")
  @Nullable Path barrier;

  @Option(names = "--package", paramLabel = "NAME", description = "The package that halts.")
  @Nullable String name;

  @Mixin DeviceSelectionOptions devices = new DeviceSelectionOptions();

  @Option(
      names = "--deadline-seconds",
      paramLabel = "SECONDS",
      description = "How long the hosts have to halt; default: 600.")
  @Nullable Integer deadlineSeconds;

  @Option(
      names = "--max-halt-seconds",
      paramLabel = "SECONDS",
      description = "How long after the start every halted host resumes by itself; default: 3600.")
  @Nullable Integer maxHaltSeconds;

  @Option(
      names = "--when-not-halted",
      paramLabel = "ACTION",
      description = "If a host has not halted by the deadline: abort (the default) or continue.")
  @Nullable String whenNotHalted;

  @Option(
      names = "--migrate-device",
      paramLabel = "DEVICE",
      description =
          "The migration is the upgrade of this device; default: a person or program calls `barrier continue`.")
  @Nullable String migrateDevice;

  @Option(
      names = "--migrate-package",
      paramLabel = "NAME",
      description = "The package of that upgrade; default: the one that halts.")
  @Nullable String migratePackage;

  @Option(names = "--migrate-version", paramLabel = "VERSION", description = "The version of that upgrade.")
  @Nullable String migrateVersion;

  @Option(
      names = "--version",
      paramLabel = "VERSION",
      description = "The version that the halted devices proceed to afterwards.")
  @Nullable String version;

  ObjectNode toJson() {
    ObjectNode body = barrier == null ? RestClient.JSON.createObjectNode() : UserFile.readObject(barrier);
    if (migrateDevice != null) {
      // Another migration replaces that of the file.
      body.remove("migration");
    }
    var fields = new RequestFields(body);
    devices.addTo(fields);
    return fields
        .put("package", name)
        .put("deadline_seconds", deadlineSeconds)
        .put("max_halt_seconds", maxHaltSeconds)
        .put("when_not_halted", whenNotHalted)
        .put("version", version)
        .put("migration", "device", migrateDevice)
        .put("migration", "package", migratePackage)
        .put("migration", "version", migrateVersion)
        .json();
  }
}
