package dev.uplift.temporaldev;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The Go that builds the servers.
record Go(Path program) {
  private static final Version LEAST = new Version(1, 26, 0);

  /// The one on the PATH, or where Go is usually installed. Throws with what to install when there
  /// is none that is new enough.
  static Go find(String forWhat) {
    return among(
        Stream.concat(
                Commands.onPath("go").stream(),
                Stream.of("/usr/local/go/bin/go", "/usr/lib/go-1.26/bin/go", "/snap/bin/go")
                    .map(Path::of)
                    .filter(Files::isExecutable))
            .toList(),
        forWhat);
  }

  static Go among(List<Path> candidates, String forWhat) {
    String found = "none was found";
    for (Path candidate : candidates) {
      Optional<Version> version =
          Commands.ask(List.of(candidate.toString(), "env", "GOVERSION")).flatMap(Version::in);
      if (version.filter(number -> number.isAtLeast(LEAST)).isPresent()) {
        return new Go(candidate);
      }
      found = candidate + " is " + version.map(Version::toString).orElse("not usable");
    }
    throw new StackFailure(
        "needs Go 1.26 or newer to build %s, and %s: install it from https://go.dev/dl, or put %s of a sufficient version on the PATH"
            .formatted(forWhat, found, forWhat));
  }
}
