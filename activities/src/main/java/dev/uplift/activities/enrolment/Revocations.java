package dev.uplift.activities.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.nats.NatsAway;
import dev.uplift.activities.nats.NatsLink;
import dev.uplift.store.Enrolments;
import dev.uplift.store.RevocationList;
import dev.uplift.store.Revoked;
import io.nats.client.Connection;
import io.nats.client.Message;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Tells NATS which keys are good no more. It ends their connections at once, and refuses them from
/// then on. The tables have the list; what NATS has is a copy.
///
/// Servers tell it one after the other, each what the tables have at that moment: no older list
/// comes after a newer one. It is told anew each time the link comes up, and at each round, in the
/// same bytes, of which NATS makes nothing where it has them: so a copy that was lost, or is old,
/// or was put there by a server that had hung, is right again within a minute.
public final class Revocations implements NatsLink.Attachment {
  private static final Logger LOG = LoggerFactory.getLogger(Revocations.class);

  /// With 10,000 hosts connected NATS takes one to four seconds.
  static final Duration ANSWER = Duration.ofSeconds(15);

  private static final String UPDATE = "$SYS.REQ.CLAIMS.UPDATE";

  private final NatsLink system;
  private final Enrolments enrolments;
  private final EnrolmentSettings settings;
  private final Duration patience;

  /// @param patience with NATS
  Revocations(
      NatsLink system, Enrolments enrolments, EnrolmentSettings settings, Duration patience) {
    this.system = system;
    this.enrolments = enrolments;
    this.settings = settings;
    this.patience = patience;
  }

  @Override
  public void attach(Connection connection) {
    // Streams before hosts, who import of them.
    for (String other : settings.others()) {
      AccountClaims claims = AccountClaims.of(other, settings.operator());
      update(connection, claims.issued(Instant.now().getEpochSecond()));
    }
    tell(connection, true);
  }

  /// Returns when NATS has the list.
  ///
  /// @throws NatsAway where it may not have it; it is brought once the link is up again
  public void bring() {
    tell(system.connection(), false);
  }

  /// As [#bring()], but not while NATS is away.
  void bringIfUp() {
    if (system.state().up()) {
      bring();
    }
  }

  /// NATS has the list, whatever it had, unless it is away. To be called again and again.
  public void bringAgain() {
    if (system.state().up()) {
      tell(system.connection(), true);
    }
  }

  /// One at a time: who waits holds no connection to the database.
  private synchronized void tell(Connection connection, boolean again) {
    enrolments.tell((last, revoked) -> tell(connection, again, last, revoked));
  }

  private RevocationList tell(
      Connection connection, boolean again, RevocationList last, List<Revoked> revoked) {
    AccountClaims claims = AccountClaims.without(settings.account(), revoked, settings.operator());
    String digest = claims.digest();
    boolean isTold = digest.equals(last.digest());
    if (isTold && !again) {
      return last;
    }
    long issued =
        isTold ? last.issued() : Math.max(Instant.now().getEpochSecond(), last.issued() + 1);
    update(connection, claims.issued(issued));
    LOG.atLevel(isTold ? Level.DEBUG : Level.INFO)
        .log("NATS refuses {} keys of hosts", revoked.size());
    return new RevocationList(issued, digest);
  }

  private void update(Connection connection, String claims) {
    try {
      Message answer = connection.request(UPDATE, claims.getBytes(UTF_8), patience);
      if (answer == null) {
        throw new IOException("no answer");
      }
      String text = new String(answer.getData(), UTF_8);
      if (!text.contains("\"code\":200")) {
        throw new IOException("NATS says " + text);
      }
    } catch (IOException | IllegalStateException | IllegalArgumentException e) {
      throw new NatsAway("telling NATS whose access is taken away: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NatsAway("telling NATS whose access is taken away: interrupted", e);
    }
  }
}
