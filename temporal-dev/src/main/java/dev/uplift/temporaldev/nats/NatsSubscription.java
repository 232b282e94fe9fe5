package dev.uplift.temporaldev.nats;

import dev.uplift.temporaldev.process.StackException;
import java.io.IOException;
import java.util.function.BiConsumer;

/// Hears all that is said on a subject until it is closed, or NATS ends.
public final class NatsSubscription implements AutoCloseable {
  private final MinimalNatsClient client;

  public NatsSubscription(MinimalNatsClient client, String subject, BiConsumer<String, String> told)
      throws IOException {
    this.client = client;
    client.subscribeAll(subject);
    Thread.ofVirtual().name("listening to " + subject).start(() -> deliverMessages(told));
  }

  private void deliverMessages(BiConsumer<String, String> told) {
    try {
      while (true) {
        MinimalNatsClient.Message message = client.next();
        told.accept(message.subject(), message.body());
      }
    } catch (IOException _) {
      // Closed, here or there.
    }
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (IOException e) {
      throw new StackException("cannot end listening", e);
    }
  }
}
