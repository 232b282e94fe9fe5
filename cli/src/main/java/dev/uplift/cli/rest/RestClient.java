package dev.uplift.cli.rest;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/// REST client for one server, one caller and one tenant. Thread-safe. Every call returns the body of a response with
/// status 200 to 299, and throws [CliException] for any other.
public final class RestClient implements AutoCloseable {
  public static final JsonMapper JSON = JsonMapper.shared();

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient http;
  private final URI server;
  private final Supplier<String> token;
  private final String tenant;

  public RestClient(URI server, String token, String tenant) {
    this(server, () -> token, tenant);
  }

  /// A client with a token that may change.
  ///
  /// @param token asked for with each request, because it may expire meanwhile
  public RestClient(URI server, Supplier<String> token, String tenant) {
    this.http = httpClient(server);
    this.server = server;
    this.token = token;
    this.tenant = tenant;
  }

  private static HttpClient httpClient(URI server) {
    HttpClient.Builder http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5));
    if ("http".equalsIgnoreCase(server.getScheme())) {
      http.sslContext(trustingNobody());
    }
    return http.build();
  }

  /// For a server without TLS: the default one would read all authorities of the JDK first, a tenth of the processor
  /// time of a short command. The client follows no redirect to a server with TLS.
  private static SSLContext trustingNobody() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[0], new TrustManager[0], null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }

  public String tenant() {
    return tenant;
  }

  /// Returns the bearer token; empty if there is none.
  public String token() {
    return token.get();
  }

  /// Encodes a name as one segment of a path.
  public static String pathSegment(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  public static String queryString(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .filter(parameter -> !parameter.getValue().isEmpty())
        .map(parameter -> parameter.getKey() + "=" + pathSegment(parameter.getValue()))
        .reduce((all, one) -> all + "&" + one)
        .map(all -> "?" + all)
        .orElse("");
  }

  /// `path` is below `/v1/tenants/{tenant}/`; empty for the tenant itself.
  public JsonNode get(String path) {
    return call("GET", subpath(path), BodyPublishers.noBody(), Map.of());
  }

  /// As [#get], but returns an empty object for status 404.
  public JsonNode getIfPresent(String path) {
    HttpResponse<String> response = send(request("GET", tenantPath() + subpath(path)).build());
    return response.statusCode() == 404 ? JSON.createObjectNode() : requireSuccess(response);
  }

  private static String subpath(String path) {
    return path.isEmpty() || path.startsWith("?") ? path : "/" + path;
  }

  /// Lists the tenants that the token permits.
  ///
  /// @param withDeleted for a token of all tenants
  public ArrayNode listTenants(boolean withDeleted) {
    return getAll(
        query -> requireSuccess(send(request("GET", "/v1/tenants" + query).build())),
        Map.of("deleted", withDeleted ? "true" : ""));
  }

  /// Returns the server's health, also if one of its dependencies is unavailable.
  public JsonNode health() {
    return observe().health();
  }

  /// Returns how the server looks from outside, also if one of its dependencies is unavailable.
  public ServerObservation observe() {
    Instant before = Instant.now();
    HttpResponse<String> response = send(request("GET", "/health").build());
    Instant after = Instant.now();
    JsonNode health = response.statusCode() == 503 ? parse(response.body()) : requireSuccess(response);
    return ServerObservation.of(response, health, before, after);
  }

  /// Returns what the server finds about itself and its dependencies.
  public JsonNode diagnosis() {
    return requireSuccess(send(request("GET", "/v1/diagnosis").build()));
  }

  /// Subscribes to a stream of events.
  ///
  /// @param after the id of the last event received; empty: begin with the current state
  public ServerSentEvents subscribe(String path, String after) {
    HttpRequest.Builder request =
        request("GET", tenantPath() + subpath(path)).setHeader("Accept", "text/event-stream, application/problem+json");
    if (!after.isEmpty()) {
      request.header("Last-Event-ID", after);
    }
    HttpResponse<InputStream> response = send(request.build(), BodyHandlers.ofInputStream());
    return switch (response.statusCode()) {
      case 200 -> new ServerSentEvents(response.body());
      case 204 -> ServerSentEvents.alreadyEnded();
      default -> throw toException(response.statusCode(), readText(response.body()));
    };
  }

  private static String readText(InputStream body) {
    try (body) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException _) {
      return "";
    }
  }

  public JsonNode send(String method, String path, JsonNode body, Map<String, String> headers) {
    var all = new HashMap<>(headers);
    all.put("Content-Type", "application/json");
    return call(method, subpath(path), BodyPublishers.ofString(body.toString()), all);
  }

  public JsonNode send(String method, String path, JsonNode body) {
    return send(method, path, body, Map.of());
  }

  /// Creates the tenant unless it exists.
  public void putTenant() {
    var _ = send("PUT", "", JSON.createObjectNode());
  }

  public JsonNode delete(String path) {
    return delete(path, Map.of());
  }

  public JsonNode delete(String path, Map<String, String> headers) {
    return call("DELETE", subpath(path), BodyPublishers.noBody(), headers);
  }

  public JsonNode upload(String path, Path file) {
    try {
      return call("PUT", "/" + path, BodyPublishers.ofFile(file), Map.of("Content-Type", "application/octet-stream"));
    } catch (FileNotFoundException e) {
      throw new CliException(CliException.USAGE, file + ": no such file", e);
    }
  }

  /// Returns every item of a list, reading page by page.
  public ArrayNode getAll(String path, Map<String, String> parameters) {
    return getAll(query -> get(path + query), parameters);
  }

  private static ArrayNode getAll(Function<String, JsonNode> pages, Map<String, String> parameters) {
    ArrayNode items = JSON.createArrayNode();
    Map<String, String> query = new TreeMap<>(parameters);
    while (true) {
      JsonNode page = pages.apply(queryString(query));
      page.path("items").forEach(items::add);
      String next = page.path("next_cursor").asString("");
      if (next.isEmpty()) {
        return items;
      }
      query.put("cursor", next);
    }
  }

  private JsonNode call(String method, String path, BodyPublisher body, Map<String, String> headers) {
    HttpRequest.Builder request = request(method, tenantPath() + path).method(method, body);
    headers.forEach(request::header);
    return requireSuccess(send(request.build()));
  }

  private String tenantPath() {
    return "/v1/tenants/" + pathSegment(tenant);
  }

  private HttpRequest.Builder request(String method, String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(path))
            .timeout(REQUEST_TIMEOUT)
            .header("Accept", "application/json, application/problem+json")
            .method(method, BodyPublishers.noBody());
    String bearer = token.get();
    if (!bearer.isEmpty()) {
      request.header("Authorization", "Bearer " + bearer);
    }
    return request;
  }

  private HttpResponse<String> send(HttpRequest request) {
    return send(request, BodyHandlers.ofString());
  }

  private <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
    try {
      return http.send(request, handler);
    } catch (IOException e) {
      throw new CliException(
          CliException.UNREACHABLE,
          "no server responds at " + server + " (" + describe(e) + "): is it running, and is this its address?",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(CliException.UNREACHABLE, "interrupted", e);
    }
  }

  private static String describe(IOException e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }

  private static JsonNode requireSuccess(HttpResponse<String> response) {
    if (response.statusCode() >= 300) {
      throw toException(response.statusCode(), response.body());
    }
    return response.body().isEmpty() ? JSON.createObjectNode() : parse(response.body());
  }

  private static JsonNode parse(String body) {
    try {
      return JSON.readTree(body);
    } catch (JacksonException e) {
      throw new CliException(CliException.FAILED, "the response is not JSON: is this an Uplift server?", e);
    }
  }

  /// Turns a problem document into one line: what is wrong, and where.
  static CliException toException(int status, String body) {
    JsonNode problem;
    try {
      problem = JSON.readTree(body);
    } catch (JacksonException _) {
      // Not from an Uplift server: from a proxy, for example.
      problem = JSON.createObjectNode();
    }
    return new CliException(CliException.FAILED, ProblemText.of(status, problem));
  }

  @Override
  public void close() {
    http.close();
  }
}
