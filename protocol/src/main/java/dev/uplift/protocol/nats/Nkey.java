package dev.uplift.protocol.nats;

import dev.uplift.protocol.signature.SigningKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/// A private key of NATS: Ed25519, written down as a seed (`SU…`) and known by its public name (`U…`), both in base 32
/// with a check sum. Its text never shows the seed.
public final class Nkey {
  /// The kind of key. Its letter begins the public key.
  public enum Kind {
    OPERATOR('O', 14 << 3),
    ACCOUNT('A', 0),
    USER('U', 20 << 3);

    private final char letter;
    private final int prefix;

    Kind(char letter, int prefix) {
      this.letter = letter;
      this.prefix = prefix;
    }
  }

  private static final int SEED = 18 << 3;
  private static final int RAW = 32;
  private static final byte[] SPKI = HexFormat.of().parseHex("302a300506032b6570032100");

  private final Kind kind;
  private final byte[] seed;
  private final SigningKey key;
  private final String publicKey;

  private Nkey(Kind kind, byte[] seed) {
    this.kind = kind;
    this.seed = seed.clone();
    this.key = SigningKey.fromSeed(seed);
    this.publicKey = encodeWithChecksum(new byte[] {(byte) kind.prefix}, key.rawPublicKey());
  }

  public static Nkey generate(Kind kind) {
    byte[] seed = new byte[RAW];
    new SecureRandom().nextBytes(seed);
    return new Nkey(kind, seed);
  }

  /// Throws [IllegalArgumentException] where it is no seed; the message does not show it.
  public static Nkey fromSeed(String text) {
    byte[] bytes = decodeWithChecksum(text, RAW + 2);
    int prefix = ((bytes[0] & 7) << 5) | ((bytes[1] & 0xFF) >> 3);
    if ((bytes[0] & 0xF8) != SEED) {
      throw new IllegalArgumentException("expected a seed, found another kind of key");
    }
    for (Kind kind : Kind.values()) {
      if (kind.prefix == prefix) {
        return new Nkey(kind, Arrays.copyOfRange(bytes, 2, RAW + 2));
      }
    }
    throw new IllegalArgumentException("expected the seed of an operator, account or user");
  }

  /// A secret.
  public String seed() {
    int first = SEED | (kind.prefix >> 5);
    int second = (kind.prefix & 31) << 3;
    return encodeWithChecksum(new byte[] {(byte) first, (byte) second}, seed);
  }

  /// The public key; 56 letters and digits.
  public String publicKey() {
    return publicKey;
  }

  public byte[] sign(byte[] bytes) {
    return key.sign(bytes);
  }

  /// Returns whether the text is a public key of this kind.
  public static boolean isPublicKey(Kind kind, String text) {
    try {
      return text.length() == 56
          && text.charAt(0) == kind.letter
          && (decodeWithChecksum(text, RAW + 1)[0] & 0xFF) == kind.prefix;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /// Returns whether this public key has signed exactly these bytes. False for any malformed text.
  public static boolean verify(String name, byte[] bytes, byte[] signature) {
    try {
      byte[] raw = decodeWithChecksum(name, RAW + 1);
      byte[] encoded = ByteBuffer.allocate(SPKI.length + RAW).put(SPKI).put(raw, 1, RAW).array();
      PublicKey known = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
      Signature check = Signature.getInstance("Ed25519");
      check.initVerify(known);
      check.update(bytes);
      return check.verify(signature);
    } catch (GeneralSecurityException | IllegalArgumentException _) {
      return false;
    }
  }

  private static String encodeWithChecksum(byte[] prefix, byte[] raw) {
    byte[] body = ByteBuffer.allocate(prefix.length + RAW).put(prefix).put(raw).array();
    int sum = crc(body);
    return Base32.encode(ByteBuffer.allocate(body.length + 2).put(body).put((byte) sum).put((byte) (sum >> 8)).array());
  }

  private static byte[] decodeWithChecksum(String text, int length) {
    byte[] all = Base32.decode(text);
    if (all.length != length + 2) {
      throw new IllegalArgumentException("expected a key of NATS, found another length");
    }
    byte[] body = Arrays.copyOf(all, length);
    int sum = crc(body);
    byte[] found = {all[length], all[length + 1]};
    if (!MessageDigest.isEqual(found, new byte[] {(byte) sum, (byte) (sum >> 8)})) {
      throw new IllegalArgumentException("expected a key of NATS, found a wrong check sum");
    }
    return body;
  }

  /// CRC-16/XMODEM.
  private static int crc(byte[] bytes) {
    int crc = 0;
    for (byte each : bytes) {
      crc ^= (each & 0xFF) << 8;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ 0x1021;
      }
      crc &= 0xFFFF;
    }
    return crc;
  }

  @Override
  public String toString() {
    return publicKey;
  }
}
