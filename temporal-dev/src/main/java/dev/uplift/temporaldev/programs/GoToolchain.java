package dev.uplift.temporaldev.programs;

import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.process.SystemCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The Go toolchain that builds servers.
record GoToolchain(Path program) {
  private static final ToolVersion MINIMUM_VERSION = new ToolVersion(1, 26, 0);

  /// Finds Go on the PATH or where it is usually installed. Throws with instructions if none is recent enough.
  static GoToolchain find(String purpose) {
    return among(
        Stream.concat(
                SystemCommands.findOnPath("go").stream(),
                Stream.of("/usr/local/go/bin/go", "/usr/lib/go-1.26/bin/go", "/snap/bin/go")
                    .map(Path::of)
                    .filter(Files::isExecutable))
            .toList(),
        purpose);
  }

  static GoToolchain among(List<Path> candidates, String purpose) {
    String found = "none was found";
    for (Path candidate : candidates) {
      Optional<ToolVersion> version =
          SystemCommands.run(List.of(candidate.toString(), "env", "GOVERSION")).flatMap(ToolVersion::parse);
      if (version.filter(number -> number.isAtLeast(MINIMUM_VERSION)).isPresent()) {
        return new GoToolchain(candidate);
      }
      found = candidate + " is " + version.map(ToolVersion::toString).orElse("not usable");
    }
    throw new StackException(
        "needs Go 1.26 or newer to build %s, and %s: install it from https://go.dev/dl, or put %s of a sufficient version on the PATH"
            .formatted(purpose, found, purpose));
  }
}
