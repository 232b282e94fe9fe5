package dev.uplift.agent.transport;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// The pace of reconnects to NATS. All hosts of a fleet lose it in the same moment: if they all reconnected as fast as
/// they can, NATS would answer none of them in time.
///
/// @param reconnectsFast whether another agent waits for this one; then it tries more often
record ReconnectDelay(BooleanSupplier reconnectsFast) {
  private static final Duration FIRST = Duration.ofSeconds(1);

  /// With its spread less than an agent that stands by may not be heard of (`standby_timeout_seconds`), so that one
  /// that comes back does not count as lost.
  private static final Duration MAX = Duration.ofSeconds(30);

  /// Of an agent on standby: it has to be connected soon, because the other agent waits for it.
  private static final Duration MAX_FAST = Duration.ofSeconds(8);

  /// Hosts that were disconnected together do not reconnect together.
  private static final double JITTER = 0.5;

  /// The pause before the next try: doubled each time up to its longest, spread by half.
  ///
  /// @param tries that have failed since it was last connected; 0 or more
  Duration delay(long tries) {
    Duration longest = reconnectsFast.getAsBoolean() ? MAX_FAST : MAX;
    return Backoff.jitter(Backoff.exponential(FIRST, longest, tries), JITTER);
  }
}
