package dev.uplift.agent.transport;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.protocol.nats.Credentials;
import io.nats.client.AuthHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Logs in with credentials that are read from their file each time, so user JWT and key can be renewed while the agent
/// runs.
public final class CredentialsFileAuthHandler implements AuthHandler {
  private static final System.Logger LOG = System.getLogger(CredentialsFileAuthHandler.class.getName());
  private static final int MIN_NONCE_CHARS = 11;
  private static final int MAX_NONCE_CHARS = 64;

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

  /// Signs what has the form of a nonce of nats-server, and nothing else: the same key signs the host's requests to
  /// renew its credentials, and a NATS server that was taken over must not obtain the signature of one.
  @Override
  public byte[] sign(byte[] nonce) {
    if (!isNonce(nonce)) {
      LOG.log(WARNING, "does not log in: NATS asks for a signature of {0} bytes that are no nonce", nonce.length);
      throw new IllegalArgumentException(
          "nonce of NATS: expected %d to %d of A-Z a-z 0-9 _ -".formatted(MIN_NONCE_CHARS, MAX_NONCE_CHARS));
    }
    return credentials().key().sign(nonce);
  }

  private static boolean isNonce(byte[] nonce) {
    boolean isNonce = nonce.length >= MIN_NONCE_CHARS && nonce.length <= MAX_NONCE_CHARS;
    for (byte each : nonce) {
      boolean isLetter = (each >= 'A' && each <= 'Z') || (each >= 'a' && each <= 'z');
      isNonce &= isLetter || (each >= '0' && each <= '9') || each == '_' || each == '-';
    }
    return isNonce;
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
