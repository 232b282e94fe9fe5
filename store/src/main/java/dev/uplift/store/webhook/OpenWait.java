package dev.uplift.store.webhook;

import dev.uplift.store.EnumCodec;
import io.micronaut.core.annotation.Introspected;
import java.time.Instant;

/// A wait for a person, or for a host that is off, that has lasted for as long as a webhook says, and of which it was
/// not told once more.
///
/// @param kind word of a [WaitingKind]
/// @param subject what waits: its name within the tenant
/// @param since when the wait began
@Introspected
public record OpenWait(String tenant, String webhook, String kind, String subject, Instant since) {
  /// What can wait.
  enum WaitingKind {
    ROLLOUT,
    BARRIER,
    UPGRADE
  }

  WaitingKind subjectKind() {
    return EnumCodec.decode(WaitingKind.class, kind);
  }
}
