package dev.uplift.temporaldev;

import java.io.IOException;
import java.util.function.BiConsumer;

/// Hears all that is said on a subject until it is closed, or NATS ends.
public final class Listening implements AutoCloseable {
  private final NatsWire wire;

  Listening(NatsWire wire, String subject, BiConsumer<String, String> told) throws IOException {
    this.wire = wire;
    wire.subscribeAll(subject);
    Thread.ofVirtual().name("listening to " + subject).start(() -> listen(told));
  }

  private void listen(BiConsumer<String, String> told) {
    try {
      while (true) {
        NatsWire.Message message = wire.next();
        told.accept(message.subject(), message.body());
      }
    } catch (IOException _) {
      // Closed, here or there.
    }
  }

  @Override
  public void close() {
    try {
      wire.close();
    } catch (IOException e) {
      throw new StackFailure("cannot end listening", e);
    }
  }
}
