package dev.uplift.cli.option;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.login.LoginSession;
import dev.uplift.cli.login.StoredLogin;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// Options of every command that sends requests: server, token and tenant, by option or by environment, and the format
/// of the result. `. FOLDER/env` of a stack that `uplift up` keeps running sets the first three.
public final class ServerOptions {
  private static final Map<String, String> ENVIRONMENT = System.getenv();

  @Option(names = "--url", paramLabel = "URL", description = "URL of the server; default: $UPLIFT_URL.")
  String url = "";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with the bearer token, or login; default: $UPLIFT_TOKEN_FILE, else that of `uplift login`.")
  String tokenFile = "";

  @Option(names = "--tenant", paramLabel = "NAME", description = "The tenant; default: $UPLIFT_TENANT.")
  String tenant = "";

  @Mixin private OutputOptions output = new OutputOptions();

  public OutputOptions output() {
    return output;
  }

  public RestClient connect() {
    URI server = requireAddress(url);
    return new RestClient(server, token(server), required(tenant, "--tenant", "UPLIFT_TENANT"));
  }

  /// Returns the token of the file that was named; else of the login at this server.
  private Supplier<String> token(URI server) {
    String named = tokenFile.isEmpty() ? ENVIRONMENT.getOrDefault("UPLIFT_TOKEN_FILE", "") : tokenFile;
    Path file = named.isEmpty() ? StoredLogin.defaultFile(server, ENVIRONMENT) : Path.of(named);
    if (named.isEmpty() && !Files.exists(file)) {
      throw CliException.usageError(
          "needs --token-file or UPLIFT_TOKEN_FILE, or `uplift login`; for a stack of `uplift up`: . FOLDER/env");
    }
    String text = UserFile.readPrivate(file).strip();
    return StoredLogin.isLogin(text) ? new LoginSession(file, StoredLogin.parse(file, text), server) : () -> text;
  }

  /// Returns the address of the server of this option, or else of the environment.
  static URI requireAddress(String option) {
    return requireSecret(parseAddress(required(option, "--url", "UPLIFT_URL")));
  }

  /// Sends a request and prints its response. Returns the exit code of success.
  ///
  /// @param formatter of the response for people
  public int print(Function<RestClient, JsonNode> request, Function<JsonNode, String> formatter) {
    try (RestClient rest = connect()) {
      output.printResult(request.apply(rest), formatter);
    }
    return 0;
  }

  /// As [#print], with all pages of a list.
  public int printAll(String path, Map<String, String> parameters, Function<JsonNode, String> formatter) {
    return print(rest -> rest.getAll(path, parameters), formatter);
  }

  private static String required(String option, String name, String variable) {
    String value = option.isEmpty() ? ENVIRONMENT.getOrDefault(variable, "") : option;
    if (value.isEmpty()) {
      throw CliException.usageError("needs " + name + " or " + variable + "; for a stack of `uplift up`: . FOLDER/env");
    }
    return value;
  }

  /// A token that was sent in the clear once belongs to everybody on the way.
  private static URI requireSecret(URI server) {
    if ("https".equals(server.getScheme()) || isLoopback(String.valueOf(server.getHost()))) {
      return server;
    }
    throw CliException.usageError(
        server
            + ": the token would travel unencrypted; expected https, or http to this machine (127.0.0.1, localhost)");
  }

  private static boolean isLoopback(String host) {
    return host.equals("localhost") || host.equals("[::1]") || host.matches("127(?:\\.[0-9]{1,3}){3}");
  }

  private static URI parseAddress(String url) {
    try {
      URI address = URI.create(url);
      if ("http".equals(address.getScheme()) || "https".equals(address.getScheme())) {
        return address;
      }
    } catch (IllegalArgumentException _) {
      // Rejected below.
    }
    throw CliException.usageError("\"" + url + "\": expected a URL such as http://127.0.0.1:8080");
  }
}
