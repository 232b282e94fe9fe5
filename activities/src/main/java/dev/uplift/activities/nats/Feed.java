package dev.uplift.activities.nats;

import io.nats.client.Connection;
import io.nats.client.ConsumerContext;
import io.nats.client.FetchConsumeOptions;
import io.nats.client.FetchConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads a stream through one of its durable consumers, for as long as it is open, whatever happens
/// to the connection. Many messages are in work at the same time, those of one subject in their
/// order. What is not acknowledged comes again, here or at another server.
public final class Feed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Feed.class);
  private static final int LANES = 32;
  private static final int IN_WORK = 512;
  private static final Duration PULL = Duration.ofSeconds(10);
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);

  private final NatsLink link;
  private final String stream;
  private final String consumer;
  private final Consumer<Message> reader;
  private final Thread thread;
  private final Semaphore room = new Semaphore(IN_WORK);
  private final List<ExecutorService> lanes =
      IntStream.range(0, LANES)
          .mapToObj(_ -> Executors.newSingleThreadExecutor(Thread.ofVirtual().factory()))
          .toList();
  private @Nullable Connection of;
  private @Nullable ConsumerContext context;
  private volatile boolean closed;

  /// Begins to read.
  ///
  /// @param reader acknowledges what it is given
  public Feed(NatsLink link, String stream, String consumer, Consumer<Message> reader) {
    this.link = link;
    this.stream = stream;
    this.consumer = consumer;
    this.reader = reader;
    this.thread = Thread.ofVirtual().name("feed-" + consumer).start(this::run);
  }

  private void run() {
    while (!closed) {
      try {
        pull();
      } catch (InterruptedException _) {
        return;
      } catch (Exception e) {
        if (!closed) {
          LOG.debug("{} of {} is read again soon", consumer, stream, e);
          pause();
        }
      }
    }
  }

  private void pull() throws Exception {
    FetchConsumeOptions options =
        FetchConsumeOptions.builder().maxMessages(IN_WORK).expiresIn(PULL.toMillis()).build();
    FetchConsumer fetch = context().fetch(options);
    try {
      for (Message message = fetch.nextMessage(); message != null; message = fetch.nextMessage()) {
        hand(message);
      }
    } finally {
      fetch.close();
    }
  }

  private ConsumerContext context() throws IOException, JetStreamApiException {
    Connection now = link.connection();
    ConsumerContext known = context;
    if (known == null || !now.equals(of)) {
      known = now.getConsumerContext(stream, consumer);
      context = known;
      of = now;
    }
    return known;
  }

  private void hand(Message message) throws InterruptedException {
    room.acquire();
    lanes.get(Math.floorMod(message.getSubject().hashCode(), LANES)).execute(() -> read(message));
  }

  private void read(Message message) {
    try {
      reader.accept(message);
    } catch (RuntimeException e) {
      // Not acknowledged, so it comes again.
      LOG.error("a message of {} could not be read", stream, e);
    } finally {
      room.release();
    }
  }

  private void pause() {
    try {
      Thread.sleep(BETWEEN_TRIES);
    } catch (InterruptedException _) {
      closed = true;
    }
  }

  /// What is in work is brought to its end; what it does not acknowledge comes again elsewhere.
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    lanes.forEach(ExecutorService::close);
  }
}
