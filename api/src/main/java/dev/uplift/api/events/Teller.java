package dev.uplift.api.events;

import io.micronaut.http.sse.Event;
import java.util.List;

/// Knows what one listener has been told, and what is new since. Used by one thread.
public interface Teller extends AutoCloseable {
  /// What is new, in its order; empty where nothing is. Asked several times a second.
  List<Event<String>> next();

  /// Whether the last thing was told.
  boolean isOver();

  @Override
  void close();
}
