package dev.uplift.api.testing;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
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
}
