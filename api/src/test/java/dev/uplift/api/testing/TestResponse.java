package dev.uplift.api.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A response of the server.
public final class TestResponse {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  private final HttpResponse<?> response;
  private final byte[] bytes;

  /// @param bytes the body; empty for an event stream
  TestResponse(HttpResponse<?> response, byte[] bytes) {
    this.response = response;
    this.bytes = bytes;
  }

  public int status() {
    return response.statusCode();
  }

  public byte[] bytes() {
    return bytes;
  }

  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  public JsonNode json() {
    return MAPPER.readTree(bytes);
  }

  public Optional<String> header(String name) {
    return response.headers().firstValue(name);
  }

  /// Asserts the status.
  public TestResponse expectStatus(int status) {
    assertThat(status()).as("%s: %s", response, text()).isEqualTo(status);
    if (status >= 400 && !response.request().method().equals("HEAD")) {
      assertIsProblem();
    }
    return this;
  }

  private void assertIsProblem() {
    assertThat(header("content-type")).as(text()).contains("application/problem+json");
    assertThat(json().path("status").asInt()).isEqualTo(status());
    assertThat(json().path("title").asString()).isNotBlank();
    assertThat(json().path("detail").asString()).as(text()).isNotBlank();
  }

  /// Returns each fault as `pointer: detail`.
  public List<String> errors() {
    return json()
        .path("errors")
        .valueStream()
        .map(fault ->
            fault.path("pointer").asString("")
                + fault.path("parameter").asString("")
                + fault.path("header").asString("")
                + ": "
                + fault.path("detail").asString())
        .toList();
  }

  public String detail() {
    return json().path("detail").asString();
  }

  public List<String> texts(String list, String field) {
    return json().path(list).valueStream().map(item -> item.path(field).asString()).toList();
  }
}
