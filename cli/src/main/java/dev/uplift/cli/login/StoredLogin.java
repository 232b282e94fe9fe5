package dev.uplift.cli.login;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.net.URI;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// A login as a file keeps it: JSON, readable by its owner only.
///
/// @param server that the tokens are for; they are sent to no other
public record StoredLogin(URI server, URI issuer, String clientId, LoginTokens tokens) {
  /// Returns the file of the logins at a server, in the folder of the user's configuration.
  public static Path defaultFile(URI server, Map<String, String> environment) {
    String configured = environment.getOrDefault("XDG_CONFIG_HOME", "");
    Path folder = configured.isEmpty() ? Path.of(System.getProperty("user.home"), ".config") : Path.of(configured);
    String host = Objects.requireNonNullElse(server.getHost(), "").replaceAll("[^A-Za-z0-9.-]", "_");
    String port = server.getPort() < 0 ? "" : "_" + server.getPort();
    return folder.resolve("uplift").resolve("logins").resolve(host + port + ".json");
  }

  /// Returns whether the content of a file of tokens is a login, and no token itself.
  public static boolean isLogin(String text) {
    return text.startsWith("{");
  }

  /// Reads a login.
  ///
  /// @param file that the text is of
  public static StoredLogin parse(Path file, String text) {
    try {
      JsonNode json = RestClient.JSON.readTree(text);
      return new StoredLogin(
          URI.create(required(json, "server")),
          URI.create(required(json, "issuer")),
          required(json, "client_id"),
          new LoginTokens(
              required(json, "access_token"),
              json.path("refresh_token").asString(""),
              Instant.parse(required(json, "expires_at"))));
    } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
      throw new CliException(CliException.USAGE, file + " is no login: delete it, and log in again", e);
    }
  }

  private static String required(JsonNode json, String field) {
    String text = json.path(field).asString("");
    if (text.isEmpty()) {
      throw new IllegalArgumentException("no " + field);
    }
    return text;
  }

  /// Writes the file at once or not at all.
  public void write(Path file) {
    var json = RestClient.JSON.createObjectNode();
    json.put("server", server.toString()).put("issuer", issuer.toString()).put("client_id", clientId);
    json.put("access_token", tokens.accessToken()).put("refresh_token", tokens.refreshToken());
    json.put("expires_at", tokens.expiresAt().toString());
    PrivateFile.write(file, RestClient.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n");
  }

  StoredLogin with(LoginTokens others) {
    return new StoredLogin(server, issuer, clientId, others);
  }
}
