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

/// Reads server-sent events from an open connection.
public final class ServerSentEvents implements AutoCloseable {
  /// The server sends at least a keep-alive comment every 15 s.
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(60);

  private static final String END_EVENT = "ended";
  private static final Event COMMENT = new Event("", "comment", "");
  private static final Event CONNECTION_LOST = new Event("", "connection-lost", "");

  private final InputStream input;
  private final BlockingQueue<Event> received = new LinkedBlockingQueue<>();
  private boolean ended;

  /// One event.
  ///
  /// @param id to resume after
  public record Event(String id, String name, String data) {
    public JsonNode json() {
      return RestClient.JSON.readTree(data);
    }
  }

  ServerSentEvents(InputStream input) {
    this.input = input;
    Thread.ofPlatform().daemon().name("server-sent events").start(this::readAll);
  }

  /// Returns a stream that has ended, for a server without further events.
  static ServerSentEvents alreadyEnded() {
    var none = new ServerSentEvents(InputStream.nullInputStream());
    none.ended = true;
    return none;
  }

  private void readAll() {
    Map<String, String> fields = new HashMap<>();
    try (var lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        parseLine(line, fields);
      }
    } catch (IOException _) {
      // The caller reconnects.
    }
    received.add(CONNECTION_LOST);
  }

  private void parseLine(String line, Map<String, String> fields) {
    int colon = line.indexOf(':');
    if (colon == 0) {
      received.add(COMMENT);
    } else if (colon > 0) {
      fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
    } else if (fields.containsKey("data")) {
      received.add(
          new Event(
              fields.getOrDefault("id", ""), fields.getOrDefault("event", "message"), fields.getOrDefault("data", "")));
      fields.clear();
    }
  }

  /// Blocks until the next event; empty once the connection has ended or was silent for too long.
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
      return Optional.ofNullable(received.poll(READ_TIMEOUT.toSeconds(), TimeUnit.SECONDS)).orElse(CONNECTION_LOST);
    } catch (InterruptedException e) {
      throw CliException.interrupted(e);
    }
  }

  /// Returns whether the last event has been received.
  public boolean hasEnded() {
    return ended;
  }

  @Override
  public void close() {
    try {
      input.close();
    } catch (IOException _) {
      // Closed anyway.
    }
  }
}
