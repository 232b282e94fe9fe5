package dev.uplift.services.messaging;

import java.nio.file.Path;
import java.util.Optional;

/// Where NATS is and who we are there.
///
/// @param url one address or several, separated by commas
/// @param credentialsFile file with ticket and key; none where the server asks for none. Read again for
///   every login, so that it may change
/// @param certificateAuthorities certificates (PEM) of who vouches for NATS; the usual ones where empty
/// @param replicas of a stream that is created; an existing one keeps what its operator chose
public record NatsSettings(
    String url, Optional<Path> credentialsFile, Optional<Path> certificateAuthorities, int replicas) {

  /// The same with other credentials.
  public NatsSettings withCredentials(Path other) {
    return new NatsSettings(url, Optional.of(other), certificateAuthorities, replicas);
  }

  public static NatsSettings of(String url, Path credentials) {
    return new NatsSettings(url, Optional.of(credentials), Optional.empty(), 1);
  }
}
