package dev.uplift.temporaldev;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A server program: how it is called, where its source is, and the least version that does.
enum Tool {
  /// The least version has a server with eager activities and settings by command line.
  TEMPORAL("temporal", "github.com/temporalio/cli", "/cmd/temporal", "1.5.0"),
  /// What we need of NATS is in every 2.10; production asks for a newer one, for its fixes.
  NATS_SERVER("nats-server", "github.com/nats-io/nats-server/v2", "", "2.10.0");

  private final String program;
  private final String module;
  private final String folder;
  private final String least;

  Tool(String program, String module, String folder, String least) {
    this.program = program;
    this.module = module;
    this.folder = folder;
    this.least = least;
  }

  String program() {
    return program;
  }

  Version least() {
    return Version.in(least).orElseThrow();
  }

  String source() {
    return module + folder;
  }

  /// The version that `go.mod` pins.
  Version pinned(List<String> goMod) {
    return goMod.stream()
        .map(String::strip)
        .filter(line -> line.startsWith(module + " "))
        .findFirst()
        .flatMap(Version::in)
        .orElseThrow(() -> new IllegalStateException("go.mod does not name " + module));
  }

  /// The one on the PATH, when it is new enough.
  Optional<Path> installed() {
    return Commands.onPath(program).filter(this::isNewEnough);
  }

  private boolean isNewEnough(Path installed) {
    return Commands.ask(List.of(installed.toString(), "--version"))
        .flatMap(Version::in)
        .filter(found -> found.isAtLeast(least()))
        .isPresent();
  }
}
