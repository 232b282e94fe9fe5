package dev.uplift.store.webhook;

import dev.uplift.fleet.RolloutId;
import io.micronaut.core.annotation.Introspected;
import java.time.Instant;

/// A rollout that waits for a person, and a webhook that was not told so once more.
///
/// @param escalateAfterSeconds what the webhook says
/// @param since when the wait began
@Introspected
public record OpenWait(String tenant, String webhook, long escalateAfterSeconds, String rollout, Instant since) {
  public RolloutId rolloutId() {
    return new RolloutId(tenant, rollout);
  }

  /// Returns whether it has lasted for as long as the webhook says.
  public boolean isDue(Instant now) {
    return !since.plusSeconds(escalateAfterSeconds).isAfter(now);
  }
}
