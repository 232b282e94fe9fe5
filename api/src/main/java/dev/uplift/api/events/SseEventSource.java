package dev.uplift.api.events;

import io.micronaut.http.sse.Event;
import java.util.List;

/// Knows what one listener has been told, and what is new since. Used by one thread.
public interface SseEventSource extends AutoCloseable {
  /// What is new, in its order; empty where nothing is. Asked several times a second.
  List<Event<String>> poll();

  /// Whether the last thing was told.
  boolean isFinished();

  @Override
  void close();
}
