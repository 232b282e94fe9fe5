package dev.uplift.cli.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A server that gives the answers it was told to, in that order, and keeps what it was asked.
public final class StubServer implements AutoCloseable {
  private record Answer(int status, String body) {}

  private static final int HANG_UP = -1;

  private final HttpServer server;
  private final Deque<Answer> answers = new ArrayDeque<>();
  private final List<String> requestLines = Collections.synchronizedList(new ArrayList<>());

  private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, Answer> answersByPathEnd = new HashMap<>();
  private Answer defaultAnswer = new Answer(500, "not expected");

  public StubServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  public StubServer answers(int status, String body) {
    answers.add(new Answer(status, body));
    return this;
  }

  /// Ends the next connection without a response, as a server that is killed.
  public StubServer hangsUp() {
    return answers(HANG_UP, "");
  }

  /// Sets the response to all requests without a prepared one.
  public StubServer answerByDefault(int status, String body) {
    defaultAnswer = new Answer(status, body);
    return this;
  }

  /// Sets the response at paths with this end, for requests without a prepared one.
  public StubServer answerAtPathEnd(String end, int status, String body) {
    answersByPathEnd.put(end, new Answer(status, body));
    return this;
  }

  private Answer defaultAnswer(URI uri) {
    return answersByPathEnd.entrySet().stream()
        .filter(one -> uri.getPath().endsWith(one.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(defaultAnswer);
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /// Method, path with query, and body of each request.
  public List<String> requestLines() {
    return List.copyOf(requestLines);
  }

  /// The values of a header, of each request that had it.
  public List<String> headers(String name) {
    return requests().stream().flatMap(one -> Optional.ofNullable(one.headers().getFirst(name)).stream()).toList();
  }

  /// A request as it came.
  public record Request(String method, URI uri, Headers headers, String body) {}

  public List<Request> requests() {
    return List.copyOf(requests);
  }

  private void answer(HttpExchange call) throws IOException {
    String body = new String(call.getRequestBody().readAllBytes(), UTF_8);
    requests.add(new Request(call.getRequestMethod(), call.getRequestURI(), call.getRequestHeaders(), body));
    requestLines.add((call.getRequestMethod() + " " + call.getRequestURI() + " " + body).strip());
    Answer answer = answers.isEmpty() ? defaultAnswer(call.getRequestURI()) : answers.remove();
    if (answer.status() == HANG_UP) {
      call.close();
      return;
    }
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
