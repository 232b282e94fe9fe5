package dev.uplift.temporaldev.programs;

import dev.uplift.temporaldev.process.SystemCommands;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A server program: how it is called, where its source is, and the least version that does.
enum ServerBinary {
  /// The least version has a server with eager activities and settings by command line.
  TEMPORAL("temporal", "github.com/temporalio/cli", "/cmd/temporal", "1.5.0"),
  /// What we need of NATS is in every 2.10; production asks for a newer one, for its fixes.
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

  /// The version that `go.mod` pins.
  ToolVersion pinnedVersion(List<String> goMod) {
    return goMod.stream()
        .map(String::strip)
        .filter(line -> line.startsWith(module + " "))
        .findFirst()
        .flatMap(ToolVersion::parse)
        .orElseThrow(() -> new IllegalStateException("go.mod does not name " + module));
  }

  /// The one on the PATH, when it is new enough.
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
