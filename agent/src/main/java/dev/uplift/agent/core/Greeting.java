package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.link.Away;
import dev.uplift.agent.link.Backoff;
import dev.uplift.agent.link.Reply;
import dev.uplift.agent.link.Wire;
import dev.uplift.protocol.Rfc3339;
import dev.uplift.protocol.Subjects;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/// Says who is there, and learns what time it is: the server stamps the info that it keeps, and the
/// stamp is read back.
final class Greeting {
  private static final System.Logger LOG = System.getLogger(Greeting.class.getName());

  private static final Duration LEARNT = Duration.ofHours(1);

  private final Wire wire;
  private final String readBack;
  private final Reporter reporter;
  private final ServerClock clock;

  Greeting(Wire wire, String host, Reporter reporter, ServerClock clock) {
    this.wire = wire;
    this.readBack = Subjects.directGetInfo(host);
    this.reporter = reporter;
    this.clock = clock;
  }

  /// The server can be reached again. Tries for so long; the clock is in doubt if that was in vain.
  void exchangeAnew(Duration within) throws InterruptedException {
    clock.doubt();
    exchange(within);
  }

  /// Nothing happens while the clock needs not be learnt.
  void exchangeIfDue(Duration within) throws InterruptedException {
    if (clock.isDue(LEARNT)) {
      exchange(within);
    }
  }

  private void exchange(Duration within) throws InterruptedException {
    var pauses = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(5));
    long until = System.nanoTime() + within.toNanos();
    while (true) {
      try {
        exchange();
        return;
      } catch (Away e) {
        Duration pause = pauses.next();
        if (System.nanoTime() + pause.toNanos() > until) {
          LOG.log(WARNING, "the server''s time is not known: {0}", e.getMessage());
          return;
        }
        Thread.sleep(pause);
      }
    }
  }

  private void exchange() throws Away, InterruptedException {
    Reporter.Kept kept = reporter.introduce();
    Reply back = wire.ask(readBack, Map.of(), new byte[0]);
    if (!back.header("Nats-Sequence").equals(Long.toString(kept.sequence()))) {
      throw new Away("what was read back is not our info, status " + back.status());
    }
    try {
      Instant stamp = Rfc3339.read(back.header("Nats-Time-Stamp"));
      clock.learn(stamp, kept.sent() + (kept.acknowledged() - kept.sent()) / 2);
    } catch (DateTimeException _) {
      throw new Away("no time stamp on our info");
    }
  }
}
