package dev.uplift.cli.local;

import dev.uplift.cli.release.ReleaseKey;
import dev.uplift.cli.release.ReleaseText;
import dev.uplift.cli.rest.Rest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A release for [SimulatedHosts].
///
/// @param arguments knobs of the simulated driver
public record SimulatedRelease(
    String packageName, String version, long sequence, Map<String, String> arguments) {

  /// Signed, and brought to the server.
  public void publish(Rest rest, ReleaseKey key) {
    new ReleaseText(
            packageName,
            "simulated",
            version,
            sequence,
            Optional.empty(),
            arguments,
            List.of(),
            Instant.now())
        .publish(rest, key);
  }
}
