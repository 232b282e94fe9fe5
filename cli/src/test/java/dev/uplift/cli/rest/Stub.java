package dev.uplift.cli.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/// A server that gives the answers it was told to, in that order, and keeps what it was asked.
public final class Stub implements AutoCloseable {
  private record Answer(int status, String body) {}

  private final HttpServer server;
  private final Deque<Answer> answers = new ArrayDeque<>();
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

  public Stub() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  public Stub answers(int status, String body) {
    answers.add(new Answer(status, body));
    return this;
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /// Method, path with query, and body of each request.
  public List<String> asked() {
    return List.copyOf(asked);
  }

  private void answer(HttpExchange call) throws IOException {
    String body = new String(call.getRequestBody().readAllBytes(), UTF_8);
    asked.add((call.getRequestMethod() + " " + call.getRequestURI() + " " + body).strip());
    Answer answer = answers.isEmpty() ? new Answer(500, "not expected") : answers.remove();
    byte[] bytes = answer.body().getBytes(UTF_8);
    try (call) {
      call.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
      call.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
