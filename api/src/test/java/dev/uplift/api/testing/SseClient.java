package dev.uplift.api.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Receives server-sent events over a connection of its own.
public final class SseClient implements AutoCloseable {
  private static final long TIMEOUT_S = 90;
  private static final SseEvent END = new SseEvent("", "end of the connection", "");

  private final HttpClient http = HttpClient.newHttpClient();
  private final BlockingQueue<SseEvent> events = new LinkedBlockingQueue<>();
  private final HttpResponse<InputStream> response;

  /// One event.
  public record SseEvent(String id, String name, String data) {
    public JsonNode json() {
      return JsonMapper.shared().readTree(data);
    }
  }

  /// Subscribes.
  public SseClient(TestClient testClient, String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(testClient.server().uri().resolve(path));
    testClient.headers().forEach(request::header);
    try {
      response = http.send(request.build(), BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    Thread.ofVirtual().start(this::read);
  }

  public int status() {
    return response.statusCode();
  }

  public String header(String name) {
    return response.headers().firstValue(name).orElse("");
  }

  private void read() {
    Map<String, String> fields = new HashMap<>();
    try (var lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int colon = line.indexOf(": ");
        if (colon > 0) {
          fields.put(line.substring(0, colon), line.substring(colon + 2));
        } else if (line.isEmpty() && fields.containsKey("data")) {
          events.add(
              new SseEvent(
                  fields.getOrDefault("id", ""), fields.getOrDefault("event", ""), fields.getOrDefault("data", "")));
          fields.clear();
        }
      }
    } catch (IOException _) {
      // The connection may end in this way, too.
    }
    events.add(END);
  }

  /// Returns the next event.
  public SseEvent next() {
    try {
      SseEvent sseEvent = events.poll(TIMEOUT_S, TimeUnit.SECONDS);
      assertThat(sseEvent).as("an event within %d s", TIMEOUT_S).isNotNull();
      return sseEvent == null ? END : sseEvent;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /// Returns the next event of this name, and skips those before it.
  public SseEvent next(String name) {
    SseEvent sseEvent = next();
    while (!sseEvent.name().equals(name)) {
      assertThat(sseEvent).as("before a %s", name).isNotEqualTo(END);
      sseEvent = next();
    }
    return sseEvent;
  }

  /// Returns all events until the connection ends.
  public List<SseEvent> remaining() {
    List<SseEvent> rest = new ArrayList<>();
    for (SseEvent sseEvent = next(); !sseEvent.equals(END); sseEvent = next()) {
      rest.add(sseEvent);
    }
    return rest;
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
