package dev.uplift.services.messaging;

import dev.uplift.protocol.nats.Credentials;
import io.nats.client.AuthHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// Logs in with credentials, which are read each time. While they cannot be used, those of the login before are.
final class NatsAuthHandler implements AuthHandler {
  private final NatsConnection.CredentialsReader reader;
  private @Nullable Credentials lastRead;

  NatsAuthHandler(NatsConnection.CredentialsReader reader) {
    this.reader = reader;
  }

  private synchronized Credentials readCredentials() {
    try {
      Credentials read = reader.read();
      lastRead = read;
      return read;
    } catch (IOException e) {
      Credentials before = lastRead;
      if (before == null) {
        throw new UncheckedIOException(e);
      }
      return before;
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
