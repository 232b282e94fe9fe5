package dev.uplift.store.webhook;

import dev.uplift.store.EnumCodec;
import io.micronaut.core.annotation.Introspected;
import java.time.Instant;

/// Something that waits for a person, or for a host that is off, and a webhook that was not told so once more.
///
/// @param escalateAfterSeconds what the webhook says
/// @param kind word of a [WaitingKind]
/// @param subject what waits: its name within the tenant
/// @param since when the wait began
@Introspected
public record OpenWait(
    String tenant, String webhook, long escalateAfterSeconds, String kind, String subject, Instant since) {
  /// What can wait.
  enum WaitingKind {
    ROLLOUT,
    BARRIER,
    UPGRADE
  }

  WaitingKind subjectKind() {
    return EnumCodec.decode(WaitingKind.class, kind);
  }

  /// Returns whether it has lasted for as long as the webhook says.
  public boolean isDue(Instant now) {
    return !since.plusSeconds(escalateAfterSeconds).isAfter(now);
  }
}
