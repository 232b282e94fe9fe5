package dev.uplift.cli.rest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/// What the server tells over a connection that stays open: server-sent events.
public final class Events implements AutoCloseable {
  /// The server says something every 15 s, if only that it is there.
  private static final Duration SILENCE = Duration.ofSeconds(60);

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final String ENDED = "ended";
  private static final Event COMMENT = new Event("", "comment", "");
  private static final Event BROKEN = new Event("", "broken", "");

  private final InputStream from;
  private final BlockingQueue<Event> read = new LinkedBlockingQueue<>();
  private boolean over;

  /// One of them.
  ///
  /// @param id what to listen after when one comes back
  public record Event(String id, String name, String data) {
    public JsonNode json() {
      return Rest.JSON.readTree(data);
    }
  }

  Events(InputStream from) {
    this.from = from;
    Thread.ofVirtual().name("events").start(this::readAll);
  }

  /// Of a server that has nothing more to tell.
  static Events none() {
    var none = new Events(InputStream.nullInputStream());
    none.over = true;
    return none;
  }

  private void readAll() {
    Map<String, String> fields = new HashMap<>();
    try (var lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        read(line, fields);
      }
    } catch (IOException _) {
      // Whoever listens comes back.
    }
    read.add(BROKEN);
  }

  private void read(String line, Map<String, String> fields) {
    int colon = line.indexOf(':');
    if (colon == 0) {
      read.add(COMMENT);
    } else if (colon > 0) {
      fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
    } else if (fields.containsKey("data")) {
      read.add(
          new Event(
              fields.getOrDefault("id", ""),
              fields.getOrDefault("event", "message"),
              fields.getOrDefault("data", "")));
      fields.clear();
    }
  }

  /// The next one; empty when the connection has ended, or is silent for too long.
  public Optional<Event> next() {
    while (true) {
      Event next = poll();
      if (next.equals(BROKEN)) {
        return Optional.empty();
      }
      if (!next.equals(COMMENT)) {
        over = over || next.name().equals(ENDED);
        return Optional.of(next);
      }
    }
  }

  private Event poll() {
    try {
      return Optional.ofNullable(read.poll(SILENCE.toSeconds(), TimeUnit.SECONDS)).orElse(BROKEN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(CommandFailed.REFUSED, "interrupted", e);
    }
  }

  /// Whether the last one has come.
  public boolean isOver() {
    return over;
  }

  /// Before one comes back.
  public static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(CommandFailed.REFUSED, "interrupted", e);
    }
  }

  @Override
  public void close() {
    try {
      from.close();
    } catch (IOException _) {
      // It is closed, then.
    }
  }
}
