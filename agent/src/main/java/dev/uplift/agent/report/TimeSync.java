package dev.uplift.agent.report;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.transport.Backoff;
import dev.uplift.agent.transport.Reply;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.agent.transport.Transport;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.Rfc3339;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/// Publishes the info and learns the server's time by it: the stream stamps the info, and the stamp is read back.
public final class TimeSync {
  private static final System.Logger LOG = System.getLogger(TimeSync.class.getName());

  private static final Duration MAX_AGE = Duration.ofHours(1);

  private final Transport wire;
  private final String infoSubject;
  private final HeartbeatPublisher heartbeatPublisher;
  private final ServerClock clock;

  public TimeSync(Transport wire, String host, HeartbeatPublisher heartbeatPublisher, ServerClock clock) {
    this.wire = wire;
    this.infoSubject = Subjects.directGetInfo(host);
    this.heartbeatPublisher = heartbeatPublisher;
    this.clock = clock;
  }

  /// The server can be reached again. Tries for so long; the clock is in doubt if that was in vain.
  public void resync(Duration within) throws InterruptedException {
    clock.markUncertain();
    sync(within);
  }

  /// Nothing happens while the clock needs not be learnt.
  public void syncIfDue(Duration within) throws InterruptedException {
    if (clock.isDue(MAX_AGE)) {
      sync(within);
    }
  }

  private void sync(Duration within) throws InterruptedException {
    var pauses = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(5));
    long until = System.nanoTime() + within.toNanos();
    while (true) {
      try {
        sync();
        return;
      } catch (ServerUnavailable e) {
        Duration pause = pauses.next();
        if (System.nanoTime() + pause.toNanos() > until) {
          LOG.log(WARNING, "the server''s time is not known: {0}", e.getMessage());
          return;
        }
        Thread.sleep(pause);
      }
    }
  }

  private void sync() throws ServerUnavailable, InterruptedException {
    HeartbeatPublisher.StoredInfo storedInfo = heartbeatPublisher.publishInfo();
    Reply back = wire.request(infoSubject, Map.of(), new byte[0]);
    if (!back.header("Nats-Sequence").equals(Long.toString(storedInfo.sequence()))) {
      throw new ServerUnavailable("what was read back is not our info, status " + back.status());
    }
    try {
      Instant stamp = Rfc3339.parse(back.header("Nats-Time-Stamp"));
      clock.set(stamp, storedInfo.sent() + (storedInfo.acknowledged() - storedInfo.sent()) / 2);
    } catch (DateTimeException _) {
      throw new ServerUnavailable("no time stamp on our info");
    }
  }
}
