package dev.uplift.services.messaging;

import io.nats.client.JetStreamApiException;
import io.nats.client.api.Placement;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// On which nats-servers a stream is created. One that exists keeps what its operator has chosen.
///
/// @param replicas how many of them have it
/// @param cluster the name of the cluster that has it; empty: the one to which this server is connected
/// @param tags that each of them has to have
public record StreamPlacement(int replicas, Optional<String> cluster, List<String> tags) {
  /// NATS has no such servers, or not as many.
  static final class Refused extends IOException {
    private static final long serialVersionUID = 1;

    Refused(String stream, StreamPlacement placement, JetStreamApiException cause) {
      super("stream %s cannot have %s: NATS says: %s".formatted(stream, placement, cause.getErrorDescription()), cause);
    }
  }

  public StreamPlacement(int replicas) {
    this(replicas, Optional.empty(), List.of());
  }

  /// Returns what NATS is asked for; empty if any nats-server does.
  Optional<Placement> toNats() {
    if (cluster.isEmpty() && tags.isEmpty()) {
      return Optional.empty();
    }
    Placement.Builder placement = Placement.builder().tags(tags);
    cluster.ifPresent(placement::cluster);
    return Optional.of(placement.build());
  }

  @Override
  public String toString() {
    return "%d replicas%s%s"
        .formatted(
            replicas,
            cluster.map(name -> " in cluster " + name).orElse(""),
            tags.isEmpty() ? "" : " on servers tagged " + String.join(", ", tags));
  }
}
