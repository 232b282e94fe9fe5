package dev.uplift.temporaldev.scenario;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Predicate;

/// Hosts that the server itself has heard, without which an upgrade would have to wait.
public final class HostPresenceAwaiter {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  private HostPresenceAwaiter() {}

  /// Returns when so many hosts run, and says so.
  ///
  /// @param which of all hosts, by name
  public static String awaitRunning(
      RestClient restClient, Predicate<String> which, int count, Duration patience) {
    Instant until = Instant.now().plus(patience);
    while (true) {
      long heard = countRunning(restClient, which);
      if (heard >= count) {
        return heard + " hosts are heard";
      }
      if (Instant.now().isAfter(until)) {
        throw new CliException(
            CliException.FAILED, "only " + heard + " of " + count + " hosts are heard");
      }
      Sleeper.sleep(POLL_INTERVAL);
    }
  }

  private static long countRunning(RestClient restClient, Predicate<String> which) {
    return restClient
        .getAll("hosts", Map.of("limit", "1000"))
        .valueStream()
        .filter(host -> which.test(host.path("host").asString("")))
        .filter(host -> host.path("presence").asString("").equals("running"))
        .count();
  }
}
