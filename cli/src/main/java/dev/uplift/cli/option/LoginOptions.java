package dev.uplift.cli.option;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.login.StoredLogin;
import dev.uplift.cli.rest.CliException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// A login at a server, and its file.
public final class LoginOptions {
  @Option(names = "--url", paramLabel = "URL", description = "URL of the server; default: $UPLIFT_URL.")
  private String url = "";

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Where the login is kept, for --token-file; default: below ~/.config/uplift/logins.")
  private @Nullable Path file;

  public URI server() {
    return ServerOptions.requireAddress(url);
  }

  public Path file(URI server) {
    return file == null ? StoredLogin.defaultFile(server, System.getenv()) : file;
  }

  /// Returns the login in the file; empty if there is no file. What is no login at this server is not touched.
  public Optional<StoredLogin> last(URI server, Path from) {
    if (!Files.exists(from)) {
      return Optional.empty();
    }
    StoredLogin login = StoredLogin.parse(from, UserFile.readPrivate(from));
    if (!login.server().equals(server)) {
      throw CliException.usageError("%s is the login at %s".formatted(from, login.server()));
    }
    return Optional.of(login);
  }

  public void delete(Path login) {
    try {
      Files.deleteIfExists(login);
    } catch (IOException e) {
      throw UserFile.cannotWrite(login, e);
    }
  }
}
