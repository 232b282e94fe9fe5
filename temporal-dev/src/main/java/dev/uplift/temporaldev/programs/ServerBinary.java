package dev.uplift.temporaldev.programs;

import dev.uplift.temporaldev.process.SystemCommands;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A server binary: its name, its source and its minimum version.
enum ServerBinary {
  /// Since this version the server has eager activities and settings by command line.
  TEMPORAL("temporal", "github.com/temporalio/cli", "/cmd/temporal", "1.5.0"),
  /// Every 2.10 has the needed features; production needs a newer one for its fixes.
  NATS_SERVER("nats-server", "github.com/nats-io/nats-server/v2", "", "2.10.0");

  private final String executable;
  private final String module;
  private final String sourceFolder;
  private final String minimumVersion;

  ServerBinary(String executable, String module, String sourceFolder, String minimumVersion) {
    this.executable = executable;
    this.module = module;
    this.sourceFolder = sourceFolder;
    this.minimumVersion = minimumVersion;
  }

  String executable() {
    return executable;
  }

  ToolVersion minimumVersion() {
    return ToolVersion.parse(minimumVersion).orElseThrow();
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
    return SystemCommands.findOnPath(executable).filter(this::isNewEnough);
  }

  private boolean isNewEnough(Path installed) {
    return SystemCommands.run(List.of(installed.toString(), "--version"))
        .flatMap(ToolVersion::parse)
        .filter(found -> found.isAtLeast(minimumVersion()))
        .isPresent();
  }
}
