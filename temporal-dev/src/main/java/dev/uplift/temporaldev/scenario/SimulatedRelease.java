package dev.uplift.temporaldev.scenario;

import dev.uplift.cli.release.UnsignedRelease;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.protocol.signature.SigningKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A release for [SimulatedHosts].
///
/// @param arguments of the simulated driver
public record SimulatedRelease(String packageName, String version, long sequence, Map<String, String> arguments) {

  /// Signs and publishes it.
  public void publish(RestClient restClient, SigningKey key) {
    new UnsignedRelease(
            packageName, "simulated", version, sequence, Optional.empty(), arguments, List.of(), Instant.now())
        .signAndPublish(restClient, key);
  }
}
