package dev.uplift.temporaldev.night;

import dev.uplift.temporaldev.stack.UpliftServer;
import java.nio.file.Path;
import java.util.Optional;

/// An empty database of a PostgreSQL that two servers share.
///
/// @param url `jdbc:postgresql://…`
/// @param passwordFile empty if no password is asked for
public record NightDatabase(String url, String user, Optional<Path> passwordFile) {
  void setOn(UpliftServer server) {
    server.environment("UPLIFT_DATABASE_URL", url);
    server.environment("UPLIFT_DATABASE_USER", user);
    passwordFile.ifPresent(file -> server.environment("UPLIFT_DATABASE_PASSWORD_FILE", file.toString()));
  }
}
