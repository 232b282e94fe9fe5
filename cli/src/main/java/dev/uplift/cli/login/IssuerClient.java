package dev.uplift.cli.login;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.Sleeper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// A public client of an OpenID Connect issuer: device code (RFC 8628), authorization code with PKCE (RFC 7636),
/// refresh and revocation of tokens. Thread-safe.
public final class IssuerClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration SLOW_DOWN = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 1 << 20;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final HttpClient http;
  private final URI issuer;
  private final String clientId;
  private final JsonNode configuration;

  private IssuerClient(HttpClient http, URI issuer, String clientId, JsonNode configuration) {
    this.http = http;
    this.issuer = issuer;
    this.clientId = clientId;
    this.configuration = configuration;
  }

  private record Response(int status, JsonNode body) {
    boolean isSuccess() {
      return status >= 200 && status < 300;
    }

    String error() {
      return body.path("error").asString("");
    }
  }

  /// Reads the addresses of the issuer.
  public static IssuerClient discover(URI issuer, String clientId) {
    URI secure = requireSecure("the issuer", issuer.toString());
    HttpClient http =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    URI address = URI.create(secure.toString().replaceFirst("/$", "") + "/.well-known/openid-configuration");
    try {
      Response response = send(http, HttpRequest.newBuilder(address).GET());
      String name = response.body().path("issuer").asString("");
      if (!response.isSuccess() || !name.equals(issuer.toString())) {
        throw new CliException(
            CliException.FAILED,
            name.isEmpty()
                ? "%s is no issuer: %s answers %d without a configuration".formatted(issuer, address, response.status())
                : "the configuration of %s names another issuer: %s".formatted(issuer, name));
      }
      return new IssuerClient(http, issuer, clientId, response.body());
    } catch (CliException e) {
      http.close();
      throw e;
    }
  }

  /// Returns when a person has confirmed the login in a browser anywhere.
  ///
  /// @param show is given what the person has to do
  public LoginTokens logInWithDeviceCode(String scope, Consumer<String> show) {
    DeviceCode code = requestDeviceCode(scope);
    show.accept(code.instructions());
    return awaitConfirmation(code);
  }

  private DeviceCode requestDeviceCode(String scope) {
    String verifier = randomText();
    Response response =
        post(
            "device_authorization_endpoint",
            Map.of("scope", scope, "code_challenge", challenge(verifier), "code_challenge_method", "S256"));
    JsonNode answer = requireSuccess("the issuer gives no code", response);
    return new DeviceCode(
        answer.path("device_code").asString(""),
        verifier,
        answer.path("user_code").asString(""),
        answer.path("verification_uri").asString(""),
        answer.path("verification_uri_complete").asString(""),
        Duration.ofSeconds(Math.max(1, answer.path("interval").asInt(5))),
        Instant.now().plusSeconds(answer.path("expires_in").asInt(600)));
  }

  private LoginTokens awaitConfirmation(DeviceCode code) {
    Duration interval = code.interval();
    Map<String, String> form =
        Map.of(
            "grant_type", "urn:ietf:params:oauth:grant-type:device_code",
            "device_code", code.code(),
            "code_verifier", code.verifier());
    while (Instant.now().isBefore(code.expiresAt())) {
      Sleeper.sleep(interval);
      Response response = post("token_endpoint", form);
      switch (response.error()) {
        case "authorization_pending" -> {}
        case "slow_down" -> interval = interval.plus(SLOW_DOWN);
        default -> {
          return tokens(requireSuccess("the login was not confirmed", response), "");
        }
      }
    }
    throw new CliException(CliException.FAILED, "the login was not confirmed in time");
  }

  /// Returns the address at which a person logs in, whose browser is then sent to `redirect` with a code.
  ///
  /// @param state comes back with the code
  URI authorizationAddress(String scope, String state, String verifier, URI redirect) {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("response_type", "code");
    query.put("client_id", clientId);
    query.put("redirect_uri", redirect.toString());
    query.put("scope", scope);
    query.put("state", state);
    query.put("code_challenge", challenge(verifier));
    query.put("code_challenge_method", "S256");
    URI endpoint = endpoint("authorization_endpoint");
    return URI.create(endpoint + (endpoint.getQuery() == null ? "?" : "&") + encode(query));
  }

  LoginTokens redeem(String code, String verifier, URI redirect) {
    Response response =
        post(
            "token_endpoint",
            Map.of(
                "grant_type",
                "authorization_code",
                "code",
                code,
                "code_verifier",
                verifier,
                "redirect_uri",
                redirect.toString()));
    return tokens(requireSuccess("the issuer gives no token", response), "");
  }

  LoginTokens refresh(String refreshToken) {
    Response response = post("token_endpoint", Map.of("grant_type", "refresh_token", "refresh_token", refreshToken));
    return tokens(requireSuccess("the login has ended; `uplift login`", response), refreshToken);
  }

  /// Ends the session of a refresh token. An issuer without a revocation endpoint is not asked.
  public void revoke(String refreshToken) {
    if (configuration.has("revocation_endpoint") && !refreshToken.isEmpty()) {
      var _ =
          requireSuccess(
              "the issuer does not end its session",
              post("revocation_endpoint", Map.of("token", refreshToken, "token_type_hint", "refresh_token")));
    }
  }

  URI issuer() {
    return issuer;
  }

  /// @param earlier refresh token, which stays valid if there is no new one
  private static LoginTokens tokens(JsonNode answer, String earlier) {
    String token = answer.path("access_token").asString("");
    if (token.isEmpty()) {
      throw new CliException(CliException.FAILED, "the issuer gives no access token");
    }
    return new LoginTokens(
        token,
        answer.path("refresh_token").asString(earlier),
        Instant.now().plusSeconds(answer.path("expires_in").asInt(300)));
  }

  private static JsonNode requireSuccess(String what, Response response) {
    if (response.isSuccess()) {
      return response.body();
    }
    String description = response.body().path("error_description").asString(response.error());
    throw new CliException(
        CliException.FAILED, "%s (%s)".formatted(what, description.isEmpty() ? response.status() : description));
  }

  private Response post(String endpoint, Map<String, String> form) {
    Map<String, String> all = new LinkedHashMap<>(form);
    all.put("client_id", clientId);
    return send(
        http,
        HttpRequest.newBuilder(endpoint(endpoint))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(encode(all))));
  }

  private URI endpoint(String name) {
    String address = configuration.path(name).asString("");
    if (address.isEmpty()) {
      throw new CliException(CliException.FAILED, "the issuer %s has no %s".formatted(issuer, name));
    }
    return requireSecure(name, address);
  }

  private static Response send(HttpClient http, HttpRequest.Builder builder) {
    HttpRequest request = builder.timeout(TIMEOUT).header("Accept", "application/json").build();
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.limiting(BodyHandlers.ofString(), MAX_BYTES));
      return new Response(response.statusCode(), parse(response.body()));
    } catch (IOException e) {
      throw new CliException(
          CliException.UNREACHABLE, "no issuer responds at %s (%s)".formatted(request.uri().getAuthority(), e), e);
    } catch (InterruptedException e) {
      throw CliException.interrupted(e);
    }
  }

  private static JsonNode parse(String body) {
    try {
      return RestClient.JSON.readTree(body);
    } catch (JacksonException _) {
      // A proxy, for example. The status says enough.
      return RestClient.JSON.createObjectNode();
    }
  }

  private static URI requireSecure(String what, String address) {
    try {
      URI uri = URI.create(address);
      String host = String.valueOf(uri.getHost());
      boolean isLoopback = host.equals("localhost") || host.equals("[::1]") || host.matches("127(?:\\.[0-9]{1,3}){3}");
      if ("https".equals(uri.getScheme()) || ("http".equals(uri.getScheme()) && isLoopback)) {
        return uri;
      }
    } catch (IllegalArgumentException _) {
      // Rejected below.
    }
    throw CliException.usageError(
        "%s: expected an https address, or http on this machine, found \"%s\"".formatted(what, address));
  }

  private static String encode(Map<String, String> form) {
    return form.entrySet().stream()
        .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
        .collect(Collectors.joining("&"));
  }

  /// Returns 32 random bytes as text.
  static String randomText() {
    byte[] random = new byte[32];
    RANDOM.nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  private static String challenge(String verifier) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
