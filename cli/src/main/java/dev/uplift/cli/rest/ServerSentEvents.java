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
public final class ServerSentEvents implements AutoCloseable {
  /// The server says something every 15 s, if only that it is there.
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(60);

  private static final Duration RECONNECT_DELAY = Duration.ofSeconds(1);
  private static final String END_EVENT = "ended";
  private static final Event COMMENT = new Event("", "comment", "");
  private static final Event CONNECTION_LOST = new Event("", "broken", "");

  private final InputStream input;
  private final BlockingQueue<Event> read = new LinkedBlockingQueue<>();
  private boolean ended;

  /// One of them.
  ///
  /// @param id what to listen after when one comes back
  public record Event(String id, String name, String data) {
    public JsonNode json() {
      return RestClient.JSON.readTree(data);
    }
  }

  ServerSentEvents(InputStream input) {
    this.input = input;
    Thread.ofVirtual().name("events").start(this::readAll);
  }

  /// Of a server that has nothing more to tell.
  static ServerSentEvents alreadyEnded() {
    var none = new ServerSentEvents(InputStream.nullInputStream());
    none.ended = true;
    return none;
  }

  private void readAll() {
    Map<String, String> fields = new HashMap<>();
    try (var lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        read(line, fields);
      }
    } catch (IOException _) {
      // Whoever listens comes back.
    }
    read.add(CONNECTION_LOST);
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
      Event next = takeNext();
      if (next.equals(CONNECTION_LOST)) {
        return Optional.empty();
      }
      if (!next.equals(COMMENT)) {
        ended = ended || next.name().equals(END_EVENT);
        return Optional.of(next);
      }
    }
  }

  private Event takeNext() {
    try {
      return Optional.ofNullable(read.poll(READ_TIMEOUT.toSeconds(), TimeUnit.SECONDS))
          .orElse(CONNECTION_LOST);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(CliException.FAILED, "interrupted", e);
    }
  }

  /// Whether the last one has come.
  public boolean hasEnded() {
    return ended;
  }

  /// Before one comes back.
  public static void pauseBeforeReconnect() {
    try {
      Thread.sleep(RECONNECT_DELAY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(CliException.FAILED, "interrupted", e);
    }
  }

  @Override
  public void close() {
    try {
      input.close();
    } catch (IOException _) {
      // It is closed, then.
    }
  }
}
