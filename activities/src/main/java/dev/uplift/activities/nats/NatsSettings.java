package dev.uplift.activities.nats;

import java.nio.file.Path;
import java.util.Optional;

/// Where NATS is and who we are there.
///
/// @param url one address or several, separated by commas
/// @param user empty where the server asks for none
/// @param passwordFile read again for every new connection, so that a password may change
/// @param replicas of a stream that is created; an existing one keeps what its operator chose
public record NatsSettings(String url, String user, Optional<Path> passwordFile, int replicas) {

  public static NatsSettings of(String url, String user, Path passwordFile) {
    return new NatsSettings(url, user, Optional.of(passwordFile), 1);
  }
}
