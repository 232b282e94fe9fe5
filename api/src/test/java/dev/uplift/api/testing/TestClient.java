package dev.uplift.api.testing;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// A client of the server, with fixed headers.
public record TestClient(TestServer server, Map<String, String> headers) {
  public TestResponse get(String path) {
    return server.send("GET", path, new byte[0], headers);
  }

  public TestResponse delete(String path) {
    return server.send("DELETE", path, new byte[0], headers);
  }

  /// Sends JSON.
  public TestResponse send(String method, String path, String json) {
    return withHeader("Content-Type", "application/json").sendRaw(method, path, json);
  }

  public TestResponse sendRaw(String method, String path, String body) {
    return sendRaw(method, path, body.getBytes(StandardCharsets.UTF_8));
  }

  public TestResponse sendRaw(String method, String path, byte[] body) {
    return server.send(method, path, body, headers);
  }

  public TestClient withHeader(String header, String value) {
    Map<String, String> all = new HashMap<>(headers);
    all.put(header, value);
    return new TestClient(server, all);
  }
}
