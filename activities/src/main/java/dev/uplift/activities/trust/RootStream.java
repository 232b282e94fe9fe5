package dev.uplift.activities.trust;

import dev.uplift.activities.nats.NatsAway;
import dev.uplift.activities.nats.NatsLink;
import dev.uplift.protocol.SignedRoot;
import dev.uplift.protocol.Subjects;
import dev.uplift.store.DatabaseAway;
import dev.uplift.store.RootRow;
import dev.uplift.store.Roots;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.PublishOptions;
import io.nats.client.api.MessageInfo;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where hosts find the roots of their tenant. The table is the truth; what is missing here is
/// brought, by any server, again and again.
public final class RootStream implements NatsLink.Attachment {
  private static final Logger LOG = LoggerFactory.getLogger(RootStream.class);
  private static final Duration ANSWER = Duration.ofSeconds(5);

  /// What a stream says when the subject has a message already.
  private static final Set<Integer> THERE_ALREADY = Set.of(10071, 10164);

  /// What another server has recorded may become visible a little later than what came after it.
  private static final Duration OVERLAP = Duration.ofHours(1);

  /// Whether all is still as it was brought.
  private static final Duration LOOKED_AT_ANEW = Duration.ofMinutes(10);

  private final NatsLink link;
  private final Roots roots;
  private final Set<String> brought = new HashSet<>();
  private Instant readUpTo = Instant.EPOCH;
  private long forgotten = System.nanoTime();

  public RootStream(NatsLink link, Roots roots) {
    this.link = link;
    this.roots = roots;
  }

  /// The stream may be another one: all are brought anew. Never keeps the link from coming up.
  @Override
  public void attach(Connection connection) {
    forget();
    Thread.ofVirtual().name("roots").start(() -> bring(connection));
  }

  private synchronized void forget() {
    forgotten = System.nanoTime();
    brought.clear();
    readUpTo = Instant.EPOCH;
  }

  /// What the table has is where hosts find it, unless NATS or the database is away: then the next
  /// call does it.
  public void bring() {
    try {
      bring(link.connection());
    } catch (NatsAway e) {
      LOG.debug("roots are brought later: {}", e.toString());
    }
  }

  private synchronized void bring(Connection connection) {
    if (System.nanoTime() - forgotten > LOOKED_AT_ANEW.toNanos()) {
      forget();
    }
    try {
      for (RootRow row : roots.since(readUpTo)) {
        String subject = Subjects.root(row.tenant(), row.version());
        if (!brought.contains(subject)) {
          bring(connection, subject, row);
          brought.add(subject);
        }
        readUpTo = row.recordedAt().minus(OVERLAP);
      }
    } catch (DatabaseAway | IllegalStateException | IOException | JetStreamApiException e) {
      LOG.debug("roots are brought later: {}", e.toString());
    }
  }

  private static void bring(Connection connection, String subject, RootRow row)
      throws IOException, JetStreamApiException {
    byte[] root = new SignedRoot(row.text(), row.signature()).write();
    try {
      publish(connection, subject, root, 0);
      LOG.info("root {} of {} is where its hosts find it", row.version(), row.tenant());
    } catch (JetStreamApiException e) {
      if (!THERE_ALREADY.contains(e.getApiErrorCode())) {
        throw e;
      }
      putRight(connection, subject, root);
    }
  }

  /// Whoever may write to NATS could else keep a new root from all hosts, with any other message in
  /// its place.
  private static void putRight(Connection connection, String subject, byte[] root)
      throws IOException, JetStreamApiException {
    MessageInfo there = connection.jetStreamManagement().getLastMessage(Subjects.TRUST, subject);
    if (!Arrays.equals(there.getData(), root)) {
      LOG.warn("{} has something else than our root; it is put right", subject);
      publish(connection, subject, root, there.getSeq());
    }
  }

  private static void publish(Connection connection, String subject, byte[] root, long after)
      throws IOException, JetStreamApiException {
    PublishOptions options =
        PublishOptions.builder()
            .expectedStream(Subjects.TRUST)
            .expectedLastSubjectSequence(after)
            .streamTimeout(ANSWER)
            .build();
    connection.jetStream().publish(subject, root, options);
  }
}
