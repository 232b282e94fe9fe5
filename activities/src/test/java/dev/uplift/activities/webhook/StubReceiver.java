package dev.uplift.activities.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A receiver of webhooks: answers 200 once it has given the answers that a test says.
final class StubReceiver implements AutoCloseable {
  record Received(String id, long timestamp, String signature, String body) {
    JsonNode json() {
      return new JsonMapper().readTree(body);
    }
  }

  final List<Received> received = new CopyOnWriteArrayList<>();
  private final Queue<Integer> answers = new ArrayDeque<>();
  private final HttpServer http;
  private volatile Optional<String> retryAfter = Optional.empty();
  private volatile Runnable whenAsked = () -> {};

  StubReceiver() {
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    http.createContext("/", this::answer);
    http.start();
  }

  String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort() + "/hook";
  }

  void answer(Integer... statuses) {
    answers.addAll(List.of(statuses));
  }

  void retryAfter(Optional<String> header) {
    retryAfter = header;
  }

  void whenAsked(Runnable what) {
    whenAsked = what;
  }

  List<String> versions() {
    return received.stream().map(each -> each.json().path("data").path("version").asString()).toList();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var headers = exchange.getRequestHeaders();
      received.add(
          new Received(
              headers.getFirst("webhook-id"),
              Long.parseLong(headers.getFirst("webhook-timestamp")),
              headers.getFirst("webhook-signature"),
              new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
      whenAsked.run();
      retryAfter.ifPresent(time -> exchange.getResponseHeaders().set("Retry-After", time));
      Integer status = answers.poll();
      exchange.sendResponseHeaders(status == null ? 200 : status, -1);
    }
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
