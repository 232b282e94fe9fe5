package dev.uplift.temporaldev.scenario;

import dev.uplift.temporaldev.stack.UpliftServer;
import java.nio.file.Path;
import java.util.Optional;

/// An empty database of a PostgreSQL that servers use instead of an H2 of their own.
///
/// @param url `jdbc:postgresql://…`
/// @param passwordFile empty if no password is asked for
public record ExternalDatabase(String url, String user, Optional<Path> passwordFile) {
  /// Makes the server use it from its next start on.
  public void setOn(UpliftServer server) {
    server.environment("UPLIFT_DATABASE_URL", url);
    server.environment("UPLIFT_DATABASE_USER", user);
    passwordFile.ifPresent(file -> server.environment("UPLIFT_DATABASE_PASSWORD_FILE", file.toString()));
  }
}
