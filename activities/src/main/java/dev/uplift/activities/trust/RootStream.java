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
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
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

  private final NatsLink link;
  private final Roots roots;
  private final Set<String> brought = new HashSet<>();
  private Instant readUpTo = Instant.EPOCH;

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
    try {
      PublishOptions first =
          PublishOptions.builder()
              .expectedStream(Subjects.TRUST)
              .expectedLastSubjectSequence(0)
              .streamTimeout(ANSWER)
              .build();
      connection
          .jetStream()
          .publish(subject, new SignedRoot(row.text(), row.signature()).write(), first);
      LOG.info("root {} of {} is where its hosts find it", row.version(), row.tenant());
    } catch (JetStreamApiException e) {
      if (!THERE_ALREADY.contains(e.getApiErrorCode())) {
        throw e;
      }
    }
  }
}
