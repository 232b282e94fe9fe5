package dev.uplift.api.events;

import io.micronaut.http.sse.Event;
import java.util.List;

/// Tracks which events one listener has received, and returns the new ones. Used by one thread.
public interface SseEventSource extends AutoCloseable {
  /// Returns the new events in order; may be empty. Called several times a second.
  List<Event<String>> poll();

  /// Returns whether the last event was returned.
  boolean isFinished();

  @Override
  void close();
}
