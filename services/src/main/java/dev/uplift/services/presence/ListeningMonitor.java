package dev.uplift.services.presence;

import dev.uplift.services.messaging.ConnectionStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/// Knows since when this process would have received every heartbeat: as long as it is connected to NATS and was not
/// stopped itself. A process that was frozen has heartbeats waiting in its sockets, whatever its connection says.
final class ListeningMonitor {
  /// More than any pause of a process that works; several times the interval between two ticks.
  private static final Duration MAX_GAP = Duration.ofSeconds(5);

  /// @param since when this process began to listen without a break; now, while the connection is down
  /// @param before when it last listened before that break; the same as `since` if it never did
  /// @param reason why there was that break, in a sentence for people
  record Period(Instant since, Instant before, String reason) {}

  private final InstantSource clock;
  private final Supplier<ConnectionStatus> connection;
  private Instant lastTick;
  private boolean connected;
  private Period period;

  ListeningMonitor(InstantSource clock, Supplier<ConnectionStatus> connection) {
    this.clock = clock;
    this.connection = connection;
    this.lastTick = clock.instant();
    this.period = new Period(lastTick, lastTick, "this server has just started");
  }

  /// Returns the current period; while the connection is down, one that begins now. To be called at least every second.
  synchronized Period tick() {
    Instant now = clock.instant();
    ConnectionStatus status = connection.get();
    boolean wasFrozen = lastTick.plus(MAX_GAP).isBefore(now);
    Instant begin = wasFrozen || !status.connected() ? now : status.since();
    if (begin.isAfter(period.since())) {
      period = new Period(begin, connected ? lastTick : period.before(), reason(begin, status, wasFrozen));
    }
    connected = status.connected();
    lastTick = now;
    return period;
  }

  private static String reason(Instant begin, ConnectionStatus status, boolean wasFrozen) {
    if (!status.connected()) {
      return "this server is not connected to NATS since " + status.since();
    }
    return wasFrozen
        ? "this server stood still, and listens to hosts again since " + begin
        : "this server listens to hosts only since " + begin;
  }
}
