package dev.uplift.activities.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.nats.NatsAway;
import dev.uplift.activities.nats.NatsLink;
import dev.uplift.store.Enrolments;
import dev.uplift.store.Revoked;
import io.nats.client.Connection;
import io.nats.client.Message;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells NATS which keys are good no more. It ends their connections at once, and refuses them from
/// then on. The tables have the list; what NATS has is a copy, which is brought anew each time the
/// link comes up, so that a copy that was lost or is old does no harm.
public final class Revocations implements NatsLink.Attachment {
  private static final Logger LOG = LoggerFactory.getLogger(Revocations.class);
  private static final Duration ANSWER = Duration.ofSeconds(5);
  private static final String UPDATE = "$SYS.REQ.CLAIMS.UPDATE";

  private final NatsLink system;
  private final Enrolments enrolments;
  private final EnrolmentSettings settings;
  private List<Revoked> brought = List.of();

  Revocations(NatsLink system, Enrolments enrolments, EnrolmentSettings settings) {
    this.system = system;
    this.enrolments = enrolments;
    this.settings = settings;
  }

  @Override
  public synchronized void attach(Connection connection) throws IOException, InterruptedException {
    bring(connection, enrolments.revoked());
  }

  /// Returns when NATS has the list.
  ///
  /// @throws NatsAway where it may not have it; it is brought once the link is up again
  public synchronized void bring() {
    try {
      bring(system.connection(), enrolments.revoked());
    } catch (IOException | IllegalStateException e) {
      throw new NatsAway("telling NATS whose access is taken away: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NatsAway("telling NATS whose access is taken away: interrupted", e);
    }
  }

  /// As [#bring()], where somebody else has revoked something since.
  public synchronized void bringIfNew() {
    if (system.state().up() && !enrolments.revoked().equals(brought)) {
      bring();
    }
  }

  private void bring(Connection connection, List<Revoked> revoked)
      throws IOException, InterruptedException {
    String claims =
        AccountClaims.without(settings.account(), revoked, settings.operator(), Instant.now());
    Message answer = connection.request(UPDATE, claims.getBytes(UTF_8), ANSWER);
    if (answer == null) {
      throw new IOException("no answer");
    }
    String text = new String(answer.getData(), UTF_8);
    if (!text.contains("\"code\":200")) {
      throw new IOException("NATS says " + text);
    }
    brought = List.copyOf(revoked);
    LOG.info("NATS refuses {} keys of hosts", revoked.size());
  }
}
