package dev.uplift.cli.login;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.CliException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.function.Supplier;

/// The access token of a login. It is refreshed when it is about to expire, and written back. Commands at the same time
/// refresh it one after the other, because an issuer may take the second use of a refresh token for a theft.
public final class LoginSession implements Supplier<String> {
  private static final Duration MARGIN = Duration.ofSeconds(10);

  private final Path file;
  private StoredLogin login;

  /// A session with the login of a file.
  ///
  /// @param server that the token will be sent to
  public LoginSession(Path file, StoredLogin login, URI server) {
    if (!login.server().equals(server)) {
      throw CliException.usageError("the login in %s is for %s, not for %s".formatted(file, login.server(), server));
    }
    this.file = file;
    this.login = login;
  }

  @Override
  public synchronized String get() {
    if (login.tokens().expiresWithin(MARGIN)) {
      refresh();
    }
    return login.tokens().accessToken();
  }

  private void refresh() {
    Path lock = file.resolveSibling("." + file.getFileName() + ".lock");
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = channel.lock()) {
      if (!Files.exists(file)) {
        throw new CliException(CliException.FAILED, "logged out: `uplift login`");
      }
      login = StoredLogin.parse(file, PrivateFile.read(file));
      if (login.tokens().expiresWithin(MARGIN)) {
        login = login.with(fetch());
        login.write(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private LoginTokens fetch() {
    if (login.tokens().refreshToken().isEmpty()) {
      throw new CliException(CliException.FAILED, "the login has expired: `uplift login`");
    }
    try (IssuerClient issuer = IssuerClient.discover(login.issuer(), login.clientId())) {
      return issuer.refresh(login.tokens().refreshToken());
    }
  }
}
