package dev.uplift.agent.transport;

import dev.uplift.protocol.nats.Credentials;
import io.nats.client.AuthHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Logs in with credentials that are read from their file each time, so user JWT and key can be renewed while the agent
/// runs.
public final class CredentialsFileAuthHandler implements AuthHandler {
  private final Path file;

  public CredentialsFileAuthHandler(Path file) {
    this.file = file;
  }

  private Credentials credentials() {
    try {
      return Credentials.read(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public byte[] sign(byte[] nonce) {
    return credentials().key().sign(nonce);
  }

  /// The user JWT carries the identity.
  @Override
  public char @Nullable [] getID() {
    return null;
  }

  @Override
  public char[] getJWT() {
    return credentials().jwt().toCharArray();
  }
}
