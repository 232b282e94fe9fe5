package dev.uplift.cli.option;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/// Server, token and tenant, by option or by environment. `. FOLDER/env` of a stack that `uplift
/// up` keeps running sets all three.
public final class ConnectionOptions {
  private final Map<String, String> environment = System.getenv();

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "URL of the server; default: $UPLIFT_URL.")
  String url = "";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with the bearer token; default: $UPLIFT_TOKEN_FILE.")
  String tokenFile = "";

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      description = "The tenant; default: $UPLIFT_TENANT.")
  String tenant = "";

  public RestClient connect() {
    String address = required(url, "--url", "UPLIFT_URL");
    String token = readToken(required(tokenFile, "--token-file", "UPLIFT_TOKEN_FILE"));
    return new RestClient(
        parseAddress(address), token, required(tenant, "--tenant", "UPLIFT_TENANT"));
  }

  private String required(String option, String name, String variable) {
    String value = option.isEmpty() ? environment.getOrDefault(variable, "") : option;
    if (value.isEmpty()) {
      throw CliException.usageError(
          "needs " + name + " or " + variable + "; for a stack of `uplift up`: . FOLDER/env");
    }
    return value;
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

  private static String readToken(String file) {
    try {
      return Files.readString(Path.of(file)).strip();
    } catch (IOException e) {
      throw new CliException(
          CliException.USAGE, "token file " + file + " cannot be read (" + e + ")", e);
    }
  }
}
