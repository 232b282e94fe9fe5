package dev.uplift.services.messaging;

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
import org.slf4j.event.Level;

/// Reads a stream through one of its durable consumers until it is closed, whatever happens to the connection.
/// Processes many messages at the same time, those of one subject in their order. A message that is not acknowledged is
/// redelivered, here or to another server.
public final class DurableConsumerLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DurableConsumerLoop.class);
  private static final int WORKERS = 32;
  private static final int MAX_IN_FLIGHT = 512;
  private static final Duration FETCH_TIMEOUT = Duration.ofSeconds(10);

  /// An empty fetch lasts until [#FETCH_TIMEOUT].
  private static final Duration MIN_EMPTY_FETCH = Duration.ofSeconds(1);

  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

  private final NatsConnection nats;
  private final String stream;
  private final String consumer;
  private final Consumer<Message> handler;
  private final Thread thread;
  private final Semaphore freeSlots = new Semaphore(MAX_IN_FLIGHT);
  private final List<ExecutorService> workers =
      IntStream.range(0, WORKERS)
          .mapToObj(_ -> Executors.newSingleThreadExecutor(Thread.ofVirtual().factory()))
          .toList();
  private @Nullable Connection contextConnection;
  private @Nullable ConsumerContext context;
  private volatile boolean closed;

  /// Starts to read.
  ///
  /// @param handler has to acknowledge the messages
  public DurableConsumerLoop(NatsConnection nats, String stream, String consumer, Consumer<Message> handler) {
    this.nats = nats;
    this.stream = stream;
    this.consumer = consumer;
    this.handler = handler;
    this.thread = Thread.ofVirtual().name("consumer-" + consumer).start(this::run);
  }

  private void run() {
    while (!closed) {
      try {
        fetch();
      } catch (InterruptedException _) {
        return;
      } catch (Exception e) {
        if (!closed) {
          LOG.debug("{} of {} is read again soon", consumer, stream, e);
          context = null;
          pause();
        }
      }
    }
  }

  private void fetch() throws Exception {
    FetchConsumeOptions options =
        FetchConsumeOptions.builder().maxMessages(MAX_IN_FLIGHT).expiresIn(FETCH_TIMEOUT.toMillis()).build();
    ConsumerContext current = context();
    long begin = System.nanoTime();
    boolean isEmpty = true;
    FetchConsumer fetch = current.fetch(options);
    try {
      for (Message message = fetch.nextMessage(); message != null; message = fetch.nextMessage()) {
        isEmpty = false;
        dispatch(message);
      }
    } finally {
      fetch.close();
    }
    if (isEmpty && System.nanoTime() - begin < MIN_EMPTY_FETCH.toNanos()) {
      // The server ends a fetch early whose consumer is gone, and does not say so.
      throw new IOException("a fetch has ended early");
    }
  }

  private ConsumerContext context() throws IOException, JetStreamApiException {
    Connection now = nats.connection();
    ConsumerContext known = context;
    if (known == null || !now.equals(contextConnection)) {
      known = now.getConsumerContext(stream, consumer);
      context = known;
      contextConnection = now;
    }
    return known;
  }

  private void dispatch(Message message) throws InterruptedException {
    freeSlots.acquire();
    workers.get(Math.floorMod(message.getSubject().hashCode(), WORKERS)).execute(() -> handle(message));
  }

  private void handle(Message message) {
    try {
      handler.accept(message);
    } catch (RuntimeException e) {
      // Not acknowledged, so it is redelivered. While NATS is unavailable none can be acknowledged, and it says so
      // itself.
      LOG.atLevel(nats.status().connected() ? Level.ERROR : Level.DEBUG)
          .setCause(e)
          .log("a message of {} could not be processed", stream);
    } finally {
      freeSlots.release();
    }
  }

  private void pause() {
    try {
      Thread.sleep(RETRY_DELAY);
    } catch (InterruptedException _) {
      closed = true;
    }
  }

  /// Finishes the messages that are being processed. The others are redelivered elsewhere.
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    workers.forEach(ExecutorService::close);
  }
}
