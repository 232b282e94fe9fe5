package dev.uplift.temporaldev.scenario;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.temporaldev.process.Poller;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Waits for hosts to be online, because upgrades would otherwise wait for them.
public final class HostPresenceAwaiter {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  /// More say nothing more.
  private static final int MAX_NAMED = 5;

  private HostPresenceAwaiter() {}

  /// Blocks until this number of hosts is online. Returns a message about that.
  ///
  /// @param filter by name of the host
  /// @throws CliException with the number that is online and what is known of others, if fewer are after the time-out
  public static String awaitOnline(RestClient restClient, Predicate<String> filter, int count, Duration timeout) {
    List<JsonNode> hosts =
        new Poller<>(() -> fetchHosts(restClient, filter), POLL_INTERVAL, timeout)
            .poll(now -> countOnline(now) >= count)
            .orElseThrow(last -> new CliException(CliException.FAILED, describeMissing(last, count)));
    return countOnline(hosts) + " hosts are online";
  }

  static String describeMissing(List<JsonNode> hosts, int count) {
    String others =
        hosts.stream()
            .filter(host -> !isOnline(host))
            .limit(MAX_NAMED)
            .map(JsonNode::toString)
            .collect(Collectors.joining(", "));
    return "only %d of %d hosts are online, %d are known, not online: %s"
        .formatted(countOnline(hosts), count, hosts.size(), others);
  }

  /// Returns how many hosts that the filter accepts are online.
  public static long countOnline(RestClient restClient, Predicate<String> filter) {
    return countOnline(fetchHosts(restClient, filter));
  }

  private static List<JsonNode> fetchHosts(RestClient restClient, Predicate<String> filter) {
    return restClient
        .getAll("hosts", Map.of("limit", "1000"))
        .valueStream()
        .filter(host -> filter.test(host.path("host").asString("")))
        .toList();
  }

  private static long countOnline(List<JsonNode> hosts) {
    return hosts.stream().filter(HostPresenceAwaiter::isOnline).count();
  }

  private static boolean isOnline(JsonNode host) {
    return host.path("presence").asString("").equals("online");
  }
}
