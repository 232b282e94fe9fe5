package dev.uplift.cli;

import dev.uplift.cli.login.IssuerClient;
import dev.uplift.cli.login.StoredLogin;
import dev.uplift.cli.option.LoginOptions;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.CliException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// Ends a login.
@Command(
    name = "logout",
    sortOptions = false,
    description = {
      "End the login at this server: delete its file, and have the issuer end its session.",
      "An access token that was copied stays valid until it expires: `uplift token revoke`."
    })
final class LogoutCommand implements Callable<Integer> {
  @Mixin private LoginOptions options = new LoginOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    URI server = options.server();
    Path file = options.file(server);
    StoredLogin login =
        options
            .last(server, file)
            .orElseThrow(() -> new CliException(CliException.FAILED, "there is no login: " + file + " does not exist"));
    options.delete(file);
    try (IssuerClient issuer = IssuerClient.discover(login.issuer(), login.clientId())) {
      issuer.revoke(login.tokens().refreshToken());
    } catch (CliException e) {
      throw new CliException(
          e.exitCode(), "logged out here, but the session at the issuer ends by itself: " + e.getMessage(), e);
    }
    output.printLine("logged out of " + server);
    return 0;
  }
}
