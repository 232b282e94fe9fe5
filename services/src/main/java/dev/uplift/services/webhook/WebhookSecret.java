package dev.uplift.services.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The secret that a webhook shares with its receiver, and what it signs, as Standard Webhooks has it.
public final class WebhookSecret {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String PREFIX = "whsec_";
  private static final int BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] key;

  /// @param key as the receiver has it, decoded
  public WebhookSecret(byte[] key) {
    this.key = key.clone();
  }

  public static WebhookSecret generate() {
    byte[] key = new byte[BYTES];
    RANDOM.nextBytes(key);
    return new WebhookSecret(key);
  }

  /// Returns it as the receiver is told it: `whsec_…`.
  public String text() {
    return PREFIX + Base64.getEncoder().encodeToString(key);
  }

  public byte[] key() {
    return key.clone();
  }

  /// Returns the signature of a message: `v1,…`.
  ///
  /// @param id of the message, the same at each attempt
  /// @param at when this attempt is made; whole seconds count
  public String sign(String id, Instant at, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update("%s.%d.".formatted(id, at.getEpochSecond()).getBytes(UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  /// Hides the secret.
  @Override
  public String toString() {
    return PREFIX + "…";
  }
}
