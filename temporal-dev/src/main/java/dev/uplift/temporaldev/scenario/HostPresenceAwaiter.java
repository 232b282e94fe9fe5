package dev.uplift.temporaldev.scenario;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.temporaldev.process.Poller;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;

/// Waits for hosts to be online, because upgrades would otherwise wait for them.
public final class HostPresenceAwaiter {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  private HostPresenceAwaiter() {}

  /// Blocks until this number of hosts is online. Returns a message about that.
  ///
  /// @param filter by name of the host
  /// @throws CliException with the number that is online, if fewer are after the time-out
  public static String awaitOnline(RestClient restClient, Predicate<String> filter, int count, Duration timeout) {
    long online =
        new Poller<>(() -> countOnline(restClient, filter), POLL_INTERVAL, timeout)
            .poll(now -> now >= count)
            .orElseThrow(
                last -> new CliException(CliException.FAILED, "only " + last + " of " + count + " hosts are online"));
    return online + " hosts are online";
  }

  /// Returns how many hosts that the filter accepts are online.
  public static long countOnline(RestClient restClient, Predicate<String> filter) {
    return restClient
        .getAll("hosts", Map.of("limit", "1000"))
        .valueStream()
        .filter(host -> filter.test(host.path("host").asString("")))
        .filter(host -> host.path("presence").asString("").equals("online"))
        .count();
  }
}
