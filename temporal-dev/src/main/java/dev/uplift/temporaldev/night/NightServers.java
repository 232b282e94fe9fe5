package dev.uplift.temporaldev.night;

import dev.uplift.temporaldev.scenario.ExternalDatabase;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.UpliftServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The servers of a night. With a PostgreSQL there are two; without, one on H2, which is started again as soon as it is
/// lost.
final class NightServers {
  private static final Duration RESEND_INTERVAL = Duration.ofMinutes(10);
  private static final Duration MAX_RESEND_INTERVAL = Duration.ofHours(1);
  private static final Duration RETRY_BACKOFF = Duration.ofMinutes(1);
  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration RECONCILE_INTERVAL = Duration.ofMinutes(1);

  private final UpliftServer lost;
  private final UpliftServer other;

  NightServers(Stack stack, NightOptions options, Optional<ExternalDatabase> database) {
    lost = stack.server();
    other = database.isPresent() ? stack.server("second") : lost;
    for (UpliftServer server : List.of(lost, other)) {
      settings(options).forEach((name, value) -> server.environment(name, value.toString()));
      database.ifPresent(shared -> shared.setOn(server));
    }
  }

  private static Map<String, Duration> settings(NightOptions options) {
    return Map.of(
        "UPLIFT_PRESENCE_SILENT_AFTER",
        options.silentAfter(),
        "UPLIFT_TIMEOUTS_RESEND_INTERVAL",
        options.scaled(RESEND_INTERVAL),
        "UPLIFT_TIMEOUTS_MAX_RESEND_INTERVAL",
        options.scaled(MAX_RESEND_INTERVAL),
        "UPLIFT_TIMEOUTS_RETRY_BACKOFF",
        options.scaled(RETRY_BACKOFF),
        "UPLIFT_ROLLOUTS_HEARTBEAT_TIMEOUT",
        options.scaled(HEARTBEAT_TIMEOUT),
        "UPLIFT_RECONCILE_INTERVAL",
        options.scaled(RECONCILE_INTERVAL));
  }

  /// Starts the other one, if there is one, once the first is ready.
  String startOther() {
    other.start();
    return other.url();
  }

  /// Returns the server that is never lost while it is asked.
  UpliftServer observer() {
    return other;
  }

  String kill() {
    lost.kill();
    if (lost != other) {
      return "killed; the other one goes on";
    }
    lost.start();
    return "killed and started again: there is no other one";
  }

  String startLost() {
    lost.start();
    return lost.url();
  }
}
