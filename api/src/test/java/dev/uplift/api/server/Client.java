package dev.uplift.api.server;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// Somebody who calls the server, with the headers that they always send.
public record Client(TestServer server, Map<String, String> headers) {
  public Answer get(String path) {
    return server.send("GET", path, new byte[0], headers);
  }

  public Answer delete(String path) {
    return server.send("DELETE", path, new byte[0], headers);
  }

  /// JSON.
  public Answer send(String method, String path, String json) {
    return with("Content-Type", "application/json").sendAsIs(method, path, json);
  }

  public Answer sendAsIs(String method, String path, String body) {
    return sendAsIs(method, path, body.getBytes(StandardCharsets.UTF_8));
  }

  public Answer sendAsIs(String method, String path, byte[] body) {
    return server.send(method, path, body, headers);
  }

  public Client with(String header, String value) {
    Map<String, String> all = new HashMap<>(headers);
    all.put(header, value);
    return new Client(server, all);
  }
}
