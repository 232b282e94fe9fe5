package dev.uplift.agent.transport;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// How an agent comes back to a NATS that it has lost, or has not found yet. All hosts of a fleet
/// lose it in the same moment: were they to come back as fast as they can, a NATS that answers some
/// of them would answer none in time.
///
/// @param reconnectsFast whether somebody waits for just this one; then it looks more often
record ReconnectDelay(BooleanSupplier reconnectsFast) {
  private static final Duration FIRST = Duration.ofSeconds(1);

  /// With its spread less than an agent that stands by may not be heard of
  /// (`standby_timeout_seconds`), so that one that comes back does not count as lost.
  private static final Duration MAX = Duration.ofSeconds(30);

  /// Of who stands by: it has to be there soon after the agent that waits for it.
  private static final Duration MAX_FAST = Duration.ofSeconds(8);

  /// So that those who were lost together do not come together.
  private static final double JITTER = 0.5;

  /// The pause before the next try: doubled each time up to its longest, spread by half.
  ///
  /// @param tries that have failed since it was last connected; 0 or more
  Duration delay(long tries) {
    Duration longest = reconnectsFast.getAsBoolean() ? MAX_FAST : MAX;
    return Backoff.jitter(Backoff.exponential(FIRST, longest, tries), JITTER);
  }
}
