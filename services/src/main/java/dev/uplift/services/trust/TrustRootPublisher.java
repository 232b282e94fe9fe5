package dev.uplift.services.trust;

import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.Subjects;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.trust.TrustRootRepository;
import dev.uplift.store.trust.TrustRootRow;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.PublishOptions;
import io.nats.client.api.MessageInfo;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes the trust roots of each tenant to the stream where hosts find them. The table is the source; any server
/// publishes what the stream lacks, periodically.
@Singleton
public final class TrustRootPublisher implements NatsConnection.ConnectionInitializer {
  private static final Logger LOG = LoggerFactory.getLogger(TrustRootPublisher.class);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

  /// The stream's error if the subject has a message already.
  private static final Set<Integer> CONFLICTS = Set.of(10071, 10164);

  /// A root recorded by another server may become visible a little after its successor.
  private static final Duration OVERLAP = Duration.ofHours(1);

  /// How often to check that the stream still has all published roots.
  private static final Duration FULL_CHECK_INTERVAL = Duration.ofMinutes(10);

  private final NatsConnection nats;
  private final TrustRootRepository trustRoots;
  private final Set<String> published = new HashSet<>();
  private Instant readUpTo = Instant.EPOCH;
  private long lastReset = System.nanoTime();

  public TrustRootPublisher(NatsConnection nats, TrustRootRepository trustRoots) {
    this.nats = nats;
    this.trustRoots = trustRoots;
  }

  /// Publishes all roots again, because the stream may be a new one. Runs in the background, so that the connection
  /// comes up in any case.
  @Override
  public void initialize(Connection connection) {
    reset();
    Thread.ofVirtual().name("trust-root-publisher").start(() -> publishMissing(connection));
  }

  private synchronized void reset() {
    lastReset = System.nanoTime();
    published.clear();
    readUpTo = Instant.EPOCH;
  }

  /// Publishes the roots that the stream lacks, unless NATS or the database is unavailable: then the next call does.
  public void publishMissing() {
    try {
      publishMissing(nats.connection());
    } catch (NatsUnavailable e) {
      LOG.debug("trust roots are published later: {}", e.toString());
    }
  }

  private synchronized void publishMissing(Connection connection) {
    if (System.nanoTime() - lastReset > FULL_CHECK_INTERVAL.toNanos()) {
      reset();
    }
    try {
      for (TrustRootRow row : trustRoots.findRecordedSince(readUpTo)) {
        String subject = Subjects.root(row.tenant(), row.version());
        if (!published.contains(subject)) {
          publishMissing(connection, subject, row);
          published.add(subject);
        }
        readUpTo = row.recordedAt().minus(OVERLAP);
      }
    } catch (DatabaseUnavailable | IllegalStateException | IOException | JetStreamApiException e) {
      LOG.debug("trust roots are published later: {}", e.toString());
    }
  }

  private static void publishMissing(Connection connection, String subject, TrustRootRow row)
      throws IOException, JetStreamApiException {
    byte[] root = new SignedTrustRoot(row.document(), row.signature()).write();
    try {
      publish(connection, subject, root, 0);
      LOG.info("trust root {} of {} is published", row.version(), row.tenant());
    } catch (JetStreamApiException e) {
      if (!CONFLICTS.contains(e.getApiErrorCode())) {
        throw e;
      }
      replaceIfDifferent(connection, subject, root);
    }
  }

  /// Otherwise any client that may publish to NATS could withhold a new root from all hosts, by another message in its
  /// place.
  private static void replaceIfDifferent(Connection connection, String subject, byte[] root)
      throws IOException, JetStreamApiException {
    MessageInfo there = connection.jetStreamManagement().getLastMessage(Subjects.TRUST_STREAM, subject);
    if (!Arrays.equals(there.getData(), root)) {
      LOG.warn("{} has a message that is not our root; it is replaced", subject);
      publish(connection, subject, root, there.getSeq());
    }
  }

  private static void publish(Connection connection, String subject, byte[] root, long after)
      throws IOException, JetStreamApiException {
    PublishOptions options =
        PublishOptions.builder()
            .expectedStream(Subjects.TRUST_STREAM)
            .expectedLastSubjectSequence(after)
            .streamTimeout(REQUEST_TIMEOUT)
            .build();
    connection.jetStream().publish(subject, root, options);
  }
}
