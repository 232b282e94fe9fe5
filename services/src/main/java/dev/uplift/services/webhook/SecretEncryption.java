package dev.uplift.services.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Encrypts secrets that are kept in the tables, by the secret of the servers. A reader of the tables, or of a copy of
/// them, cannot use the secrets.
public final class SecretEncryption {
  private static final String MAC = "HmacSHA256";
  private static final String PURPOSE = "uplift-stored-secret-v1";
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  private volatile List<SecretKeySpec> keys;

  /// @param secrets the same on all servers, one per line. The first one encrypts, all of them decrypt
  public SecretEncryption(String secrets) {
    this.keys = keys(secrets);
  }

  /// Encrypts and decrypts with these from now on.
  ///
  /// @param others as those of the constructor
  public void replace(String others) {
    keys = keys(others);
  }

  private static List<SecretKeySpec> keys(String secrets) {
    return secrets.lines().map(SecretEncryption::key).toList();
  }

  private static SecretKeySpec key(String secret) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), MAC));
      return new SecretKeySpec(mac.doFinal(PURPOSE.getBytes(UTF_8)), "AES");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + MAC, e);
    }
  }

  /// Encrypts a secret. The result differs each time.
  ///
  /// @param owner what it belongs to: it can be decrypted for that only
  public String encrypt(String owner, byte[] secret) {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    try {
      byte[] encrypted = cipher(Cipher.ENCRYPT_MODE, keys.getFirst(), nonce, owner).doFinal(secret);
      byte[] all = ByteBuffer.allocate(nonce.length + encrypted.length).put(nonce).put(encrypted).array();
      return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + CIPHER, e);
    }
  }

  /// Decrypts a secret. Empty if it was encrypted by a secret that the servers no longer have, or for another owner.
  public Optional<byte[]> decrypt(String owner, String encrypted) {
    byte[] all = Base64.getUrlDecoder().decode(encrypted);
    return keys.stream().flatMap(key -> decrypt(key, owner, all).stream()).findFirst();
  }

  /// Returns whether it is encrypted by the first of the servers' secrets, and so stays readable when the others are
  /// removed.
  public boolean isCurrent(String owner, String encrypted) {
    return decrypt(keys.getFirst(), owner, Base64.getUrlDecoder().decode(encrypted)).isPresent();
  }

  private static Optional<byte[]> decrypt(SecretKeySpec key, String owner, byte[] all) {
    if (all.length < NONCE_BYTES) {
      return Optional.empty();
    }
    try {
      byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
      return Optional.of(
          cipher(Cipher.DECRYPT_MODE, key, nonce, owner).doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES));
    } catch (GeneralSecurityException _) {
      // Of another key.
      return Optional.empty();
    }
  }

  private static Cipher cipher(int mode, SecretKeySpec key, byte[] nonce, String owner)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(owner.getBytes(UTF_8));
    return cipher;
  }
}
