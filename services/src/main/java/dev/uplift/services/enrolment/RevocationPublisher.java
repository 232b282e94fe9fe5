package dev.uplift.services.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.services.scheduling.PeriodicTasks;
import dev.uplift.store.enrolment.EnrolmentRepository;
import dev.uplift.store.enrolment.PublicationTurn;
import dev.uplift.store.enrolment.RevocationList;
import io.nats.client.Connection;
import io.nats.client.Message;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Publishes the claims of accounts to NATS, and in those of hosts the revoked keys, whose connections NATS ends at
/// once and rejects from then on. The tables have the list; NATS has a copy.
///
/// Servers publish one after the other, each the list of the tables at that moment: no older list follows a newer one.
/// It is published again each time the connection comes up, and periodically, in the same bytes, which NATS ignores if
/// it has them: so a copy that was lost, or is old, or was published by a server that had hung, is corrected within a
/// minute.
public final class RevocationPublisher implements NatsConnection.ConnectionInitializer, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RevocationPublisher.class);

  /// With 10,000 hosts connected NATS takes one to four seconds.
  static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(15);

  /// How much longer than the request a turn lasts.
  private static final Duration TURN_MARGIN = Duration.ofSeconds(5);

  private static final Duration TURN_POLL = Duration.ofMillis(50);

  private static final String UPDATE_SUBJECT = "$SYS.REQ.CLAIMS.UPDATE";

  private final NatsConnection system;
  private final EnrolmentRepository enrolments;
  private final Duration timeout;
  private final Duration interval;
  private final PeriodicTasks periodicTasks = new PeriodicTasks();
  private volatile EnrolmentSettings settings;

  /// Whether nothing is left to publish of settings that were replaced.
  private boolean isSystemPublished = true;

  /// Creates a publisher.
  ///
  /// @param timeout of a request to NATS
  /// @param interval at which the list is published again
  RevocationPublisher(
      NatsConnection system,
      EnrolmentRepository enrolments,
      EnrolmentSettings settings,
      Duration timeout,
      Duration interval) {
    this.system = system;
    this.enrolments = enrolments;
    this.settings = settings;
    this.timeout = timeout;
    this.interval = interval;
  }

  /// Starts to connect, and publishes each time the connection comes up, and periodically. Once.
  public void start() {
    system.addInitializer(this);
    system.start();
    periodicTasks.schedule(interval, "revocations", this::republish);
  }

  @Override
  public void close() {
    periodicTasks.close();
    system.close();
  }

  @Override
  public synchronized void initialize(Connection connection) {
    publishHosts(connection, settings);
    publishSystem(connection);
  }

  /// Publishes the claims of other settings, and uses these from then on: no key of theirs before NATS has the claims
  /// that name it.
  ///
  /// Does nothing for settings of the files that are in use. May be repeated.
  ///
  /// @throws NatsUnavailable if NATS may not have all claims; the settings from before stay in use unless those of the
  ///   system account are all that is missing
  public synchronized void replace(EnrolmentSettings next) {
    if (!next.isSameAs(settings)) {
      publishHosts(system.connection(), next);
      settings = next;
      isSystemPublished = false;
    }
    if (!isSystemPublished) {
      publishSystem(system.connection());
    }
  }

  /// Returns the settings in use. They may be replaced at any time.
  public EnrolmentSettings settings() {
    return settings;
  }

  private void publishHosts(Connection connection, EnrolmentSettings of) {
    // Streams before hosts, which import from them.
    of.streamsAccount().ifPresent(account -> sendAccount(connection, account, of));
    publishList(connection, of, true);
  }

  /// Last, because it may end this connection without an answer. The next one has the credentials that are valid now.
  private void publishSystem(Connection connection) {
    EnrolmentSettings of = settings;
    of.systemAccount().ifPresent(account -> sendAccount(connection, account, of));
    isSystemPublished = true;
  }

  private void sendAccount(Connection connection, String account, EnrolmentSettings of) {
    AccountClaims claims = AccountClaims.of(account, of.operatorSigningKey());
    sendClaims(connection, claims.signedAt(Instant.now().getEpochSecond()));
  }

  /// Publishes the list, and returns when NATS has it.
  ///
  /// @throws NatsUnavailable if NATS may not have it; it is published once the connection is up again
  public void publish() {
    publishList(system.connection(), false);
  }

  /// As [#publish()], unless NATS is unavailable.
  void publishIfConnected() {
    if (system.status().connected()) {
      publish();
    }
  }

  /// Publishes the list again, unless NATS is unavailable. To be called periodically.
  public void republish() {
    if (system.status().connected()) {
      publishList(system.connection(), true);
    }
  }

  private synchronized void publishList(Connection connection, boolean again) {
    publishList(connection, settings, again);
  }

  /// Holds neither a lock nor a connection of the database while NATS answers, or while it is the turn of another.
  private void publishList(Connection connection, EnrolmentSettings of, boolean again) {
    boolean isRecorded;
    do {
      String turn = UUID.randomUUID().toString();
      PublicationTurn lists = awaitTurn(turn);
      boolean isSent = false;
      RevocationList published = lists.last();
      try {
        published = send(connection, of, again, lists);
        isSent = true;
      } finally {
        if (!isSent) {
          enrolments.abandonPublication(turn);
        }
      }
      isRecorded = enrolments.endPublication(turn, published);
    } while (!isRecorded);
  }

  private PublicationTurn awaitTurn(String turn) {
    Duration longest = timeout.plus(TURN_MARGIN);
    // Each of a few servers may have its turn before.
    long end = System.nanoTime() + longest.multipliedBy(3).toNanos();
    while (System.nanoTime() < end) {
      Optional<PublicationTurn> begun = enrolments.beginPublication(turn, longest);
      if (begun.isPresent()) {
        return begun.get();
      }
      try {
        Thread.sleep(TURN_POLL);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new NatsUnavailable("publishing the revoked keys: interrupted", e);
      }
    }
    throw new NatsUnavailable("publishing the revoked keys: other servers have done so for " + longest, null);
  }

  /// Returns the list that NATS has now.
  private RevocationList send(Connection connection, EnrolmentSettings of, boolean again, PublicationTurn lists) {
    RevocationList last = lists.last();
    AccountClaims claims = AccountClaims.withRevocations(of.deviceAccount(), lists.revoked(), of.operatorSigningKey());
    String digest = claims.digest();
    boolean isPublished = digest.equals(last.digest());
    if (isPublished && !again) {
      return last;
    }
    long issued =
        isPublished ? last.issuedAtSecond() : Math.max(Instant.now().getEpochSecond(), last.issuedAtSecond() + 1);
    sendClaims(connection, claims.signedAt(issued));
    LOG.atLevel(isPublished ? Level.DEBUG : Level.INFO).log("NATS rejects {} keys of hosts", lists.revoked().size());
    return new RevocationList(issued, digest);
  }

  private void sendClaims(Connection connection, String claims) {
    try {
      Message answer = connection.request(UPDATE_SUBJECT, claims.getBytes(UTF_8), timeout);
      if (answer == null) {
        throw new IOException("no answer");
      }
      String text = new String(answer.getData(), UTF_8);
      if (!text.contains("\"code\":200")) {
        throw new IOException("NATS says " + text);
      }
    } catch (IOException | IllegalStateException | IllegalArgumentException e) {
      throw new NatsUnavailable("publishing the claims of accounts: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NatsUnavailable("publishing the claims of accounts: interrupted", e);
    }
  }
}
