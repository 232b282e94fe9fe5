package dev.uplift.temporaldev.programs;

import dev.uplift.temporaldev.process.SystemCommands;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A server binary: its name, its source, and the version from which on one on the PATH is used. Without such a version
/// it is always built.
enum ServerBinary {
  /// Since this version the server has eager activities and settings by command line.
  TEMPORAL("temporal", "github.com/temporalio/cli", "/cmd/temporal", Optional.of("1.5.0")),
  /// Every 2.10 has the needed features; production needs a newer one for its fixes.
  NATS_SERVER("nats-server", "github.com/nats-io/nats-server/v2", "", Optional.of("2.10.0")),
  TEMPORAL_SERVER("temporal-server", "go.temporal.io/server", "/cmd/server", Optional.empty()),
  TEMPORAL_SQL_TOOL("temporal-sql-tool", "go.temporal.io/server", "/cmd/tools/sql", Optional.empty()),
  TEMPORAL_UI_SERVER("temporal-ui-server", "github.com/temporalio/ui-server/v2", "/cmd/server", Optional.empty()),
  CADDY("caddy", "github.com/caddyserver/caddy/v2", "/cmd/caddy", Optional.empty());

  private final String executable;
  private final String module;
  private final String sourceFolder;
  private final Optional<String> minimumVersion;

  ServerBinary(String executable, String module, String sourceFolder, Optional<String> minimumVersion) {
    this.executable = executable;
    this.module = module;
    this.sourceFolder = sourceFolder;
    this.minimumVersion = minimumVersion;
  }

  static ServerBinary ofExecutable(String name) {
    return Arrays.stream(values())
        .filter(serverBinary -> serverBinary.executable.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown server: " + name));
  }

  String executable() {
    return executable;
  }

  /// Returns the folder of the Go module that pins it, among the resources; empty for that of this package.
  String moduleFolder() {
    return this == CADDY ? "caddy/" : "";
  }

  String source() {
    return module + sourceFolder;
  }

  /// Returns the version that `go.mod` pins.
  ToolVersion pinnedVersion(List<String> goMod) {
    return goMod.stream()
        .map(String::strip)
        .filter(line -> line.startsWith(module + " "))
        .findFirst()
        .flatMap(ToolVersion::parse)
        .orElseThrow(() -> new IllegalStateException("go.mod does not name " + module));
  }

  /// Returns the binary on the PATH if it is recent enough.
  Optional<Path> findInstalled() {
    return minimumVersion
        .flatMap(ToolVersion::parse)
        .flatMap(minimum -> SystemCommands.findOnPath(executable).filter(found -> isAtLeast(minimum, found)));
  }

  private static boolean isAtLeast(ToolVersion minimum, Path installed) {
    return SystemCommands.run(List.of(installed.toString(), "--version"))
        .flatMap(ToolVersion::parse)
        .filter(found -> found.isAtLeast(minimum))
        .isPresent();
  }
}
