package dev.uplift.protocol.nats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import dev.uplift.protocol.json.MalformedMessage;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Consumer;

/// A signed statement of NATS (a JWT): the identity of `subject`, and its permissions.
///
/// @param subject the public key
/// @param name for people; templates of permissions put it into subjects
/// @param expiresAt empty: never
/// @param claims the fields of the part `nats`
public record NatsJwt(
    String subject, String name, Instant issuedAt, Optional<Instant> expiresAt, Consumer<JsonWriter> claims) {
  private static final String HEADER =
      base64(JsonWriter.toBytes(jsonWriter -> jsonWriter.put("typ", "JWT").put("alg", "ed25519-nkey")));

  /// The text that NATS takes.
  public String sign(Nkey issuer) {
    return sign(body(Base32.encode(sha256(body("", issuer))), issuer), issuer);
  }

  /// The text for claims that are all there, the issuer's name among them.
  public static String sign(byte[] claims, Nkey issuer) {
    String signed = HEADER + "." + base64(claims);
    return signed + "." + base64(issuer.sign(signed.getBytes(UTF_8)));
  }

  private byte[] body(String id, Nkey issuer) {
    return JsonWriter.toBytes(jsonWriter -> {
      jsonWriter.put("jti", id).put("iat", issuedAt.getEpochSecond());
      expiresAt.ifPresent(end -> jsonWriter.put("exp", end.getEpochSecond()));
      jsonWriter.put("iss", issuer.publicKey()).put("name", name).put("sub", subject);
      jsonWriter.put("nats", claims);
    });
  }

  /// Returns the claims of a JWT, whose signature is *not* verified.
  ///
  /// @throws MalformedMessage if it is no JWT
  public static byte[] claims(String jwt) {
    String[] parts = jwt.split("\\.", -1);
    if (parts.length != 3) {
      throw new MalformedMessage("jwt: expected three parts, found " + parts.length);
    }
    try {
      return Base64.getUrlDecoder().decode(parts[1]);
    } catch (IllegalArgumentException _) {
      throw new MalformedMessage("jwt: not base 64");
    }
  }

  /// Returns the expiry of a JWT; empty if it never expires.
  public static Optional<Instant> expiry(String jwt) {
    JsonObject claims = JsonObject.parse(claims(jwt));
    return claims.has("exp") ? Optional.of(Instant.ofEpochSecond(claims.number("exp"))) : Optional.empty();
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
