package dev.uplift.services.messaging;

import dev.uplift.protocol.nats.Credentials;
import io.nats.client.AuthHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Logs in with credentials, which are read from their file each time.
final class NatsAuthHandler implements AuthHandler {
  private final Path credentialsFile;

  NatsAuthHandler(Path credentialsFile) {
    this.credentialsFile = credentialsFile;
  }

  private Credentials readCredentials() {
    try {
      return Credentials.read(credentialsFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public byte[] sign(byte[] nonce) {
    return readCredentials().key().sign(nonce);
  }

  /// The JWT identifies the user.
  @Override
  public char @Nullable [] getID() {
    return null;
  }

  @Override
  public char[] getJWT() {
    return readCredentials().jwt().toCharArray();
  }
}
