package dev.uplift.cli.local;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Predicate;

/// Hosts that the server itself has heard, without which an upgrade would have to wait.
public final class Heard {
  private static final Duration LOOK = Duration.ofMillis(200);

  private Heard() {}

  /// Returns when so many hosts run, and says so.
  ///
  /// @param which of all hosts, by name
  public static String await(Rest rest, Predicate<String> which, int count, Duration patience) {
    Instant until = Instant.now().plus(patience);
    while (true) {
      long heard = count(rest, which);
      if (heard >= count) {
        return heard + " hosts are heard";
      }
      if (Instant.now().isAfter(until)) {
        throw new CommandFailed(
            CommandFailed.REFUSED, "only " + heard + " of " + count + " hosts are heard");
      }
      Pause.of(LOOK);
    }
  }

  private static long count(Rest rest, Predicate<String> which) {
    return rest.all("hosts", Map.of("limit", "1000"))
        .valueStream()
        .filter(host -> which.test(host.path("host").asString("")))
        .filter(host -> host.path("presence").asString("").equals("running"))
        .count();
  }
}
