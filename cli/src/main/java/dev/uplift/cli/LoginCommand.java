package dev.uplift.cli;

import dev.uplift.cli.login.BrowserLogin;
import dev.uplift.cli.login.IssuerClient;
import dev.uplift.cli.login.LoginTokens;
import dev.uplift.cli.login.StoredLogin;
import dev.uplift.cli.option.LoginOptions;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.protocol.PrintableText;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;

/// Logs a person in at the issuer.
@Command(
    name = "login",
    sortOptions = false,
    description = {
      "Log in at an OpenID Connect issuer, for commands without --token-file and UPLIFT_TOKEN_FILE.",
      "The tokens are kept in a file that only you can read, are sent to this server only, and are refreshed while the"
          + " issuer permits it. `uplift logout` ends the login."
    })
final class LoginCommand implements Callable<Integer> {
  @Mixin private LoginOptions options = new LoginOptions();

  @Option(
      names = "--issuer",
      paramLabel = "URL",
      description = "The issuer; default: that of the last login at this server, else $UPLIFT_ISSUER.")
  private String issuer = "";

  @Option(
      names = "--client-id",
      paramLabel = "ID",
      description = "As which client; default: that of the last login, else $UPLIFT_CLIENT_ID, else uplift-cli.")
  private String clientId = "";

  @Option(
      names = "--scope",
      paramLabel = "SCOPES",
      defaultValue = "openid",
      description = "Some issuers give a refresh token only with \"openid offline_access\"; default: ${DEFAULT-VALUE}.")
  private String scope = "openid";

  @Option(
      names = "--browser",
      description = "With a browser on this machine, instead of a code that is confirmed anywhere.")
  private boolean browser;

  @Mixin private OutputOptions output = new OutputOptions();

  @Spec private CommandSpec command = CommandSpec.create();

  @Override
  public Integer call() {
    URI server = options.server();
    Path file = options.file(server);
    Optional<StoredLogin> last = options.last(server, file);
    URI from =
        parse(
            first(issuer, last.map(login -> login.issuer().toString()).orElse(""), "UPLIFT_ISSUER")
                .orElseThrow(() -> CliException.usageError("needs --issuer or UPLIFT_ISSUER")));
    String client =
        first(clientId, last.map(StoredLogin::clientId).orElse(""), "UPLIFT_CLIENT_ID").orElse("uplift-cli");
    try (IssuerClient at = IssuerClient.discover(from, client)) {
      LoginTokens tokens =
          browser ? new BrowserLogin(at).logIn(scope, this::show) : at.logInWithDeviceCode(scope, this::show);
      String tenants = tenants(server, tokens);
      new StoredLogin(server, from, client, tokens).write(file);
      output.printLine("logged in at %s for %s, tenants: %s; kept in %s".formatted(from, server, tenants, file));
    }
    return 0;
  }

  /// Nothing is kept that the server does not accept.
  private static String tenants(URI server, LoginTokens tokens) {
    try (var rest = new RestClient(server, tokens.accessToken(), "")) {
      ArrayNode tenants = rest.listTenants(false);
      return tenants.valueStream().map(tenant -> tenant.path("name").asString("")).collect(Collectors.joining(", "));
    }
  }

  private static Optional<String> first(String option, String last, String variable) {
    return Optional.of(option)
        .filter(text -> !text.isEmpty())
        .or(() -> Optional.of(last).filter(text -> !text.isEmpty()))
        .or(() -> Optional.ofNullable(System.getenv(variable)).filter(text -> !text.isEmpty()));
  }

  private static URI parse(String text) {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new CliException(CliException.USAGE, "\"" + text + "\": expected the URL of an issuer", e);
    }
  }

  private void show(String instructions) {
    PrintWriter err = command.commandLine().getErr();
    err.println(PrintableText.lines(instructions));
    err.flush();
  }
}
