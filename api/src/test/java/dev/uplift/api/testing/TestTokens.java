package dev.uplift.api.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.uplift.protocol.signature.SigningKey;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;

/// Creates tokens like an identity provider.
public final class TestTokens {
  private TestTokens() {}

  /// Returns a valid token, whose subject is the role.
  public static String of(String tenant, String role) {
    return signed(ServerHome.TOKEN_SECRET, claims(tenant, role).build());
  }

  public static JWTClaimsSet.Builder claims(String tenant, String role) {
    return new JWTClaimsSet.Builder()
        .subject(role)
        .claim("tenant", tenant)
        .claim("roles", List.of(role))
        .issueTime(Date.from(Instant.now()))
        .expirationTime(Date.from(Instant.now().plus(Duration.ofHours(1))));
  }

  public static String signed(String secret, JWTClaimsSet claims) {
    try {
      SignedJWT jwt = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims);
      jwt.sign(new MACSigner(secret));
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Returns a token that an Ed25519 key has signed. Its header may name any algorithm.
  public static SignedJWT signed(SigningKey key, JWSHeader header, JWTClaimsSet claims) {
    try {
      Base64URL first = header.toBase64URL();
      Base64URL second = claims.toPayload().toBase64URL();
      return new SignedJWT(first, second, Base64URL.encode(key.sign((first + "." + second).getBytes(US_ASCII))));
    } catch (ParseException e) {
      throw new IllegalStateException(e);
    }
  }
}
