package dev.uplift.api.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.uplift.fleet.CallerName;
import io.micronaut.security.authentication.Authentication;
import jakarta.inject.Singleton;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// JWTs that are signed with HS256 and our secret, with subject, tenant, roles, time of issue and expiry. The secret
/// may be replaced at any time.
@Singleton
public final class SecretSignedTokens {
  private volatile List<JWSVerifier> verifiers;
  private final TokenRules rules;
  private final TokenAuthenticator authenticator;

  SecretSignedTokens(TokenSecret secret, TokenRules rules, TokenAuthenticator authenticator) throws JOSEException {
    this.rules = rules;
    this.authenticator = authenticator;
    this.verifiers = verifiers(secret);
  }

  private static List<JWSVerifier> verifiers(TokenSecret secret) throws JOSEException {
    List<JWSVerifier> all = new ArrayList<>();
    for (byte[] each : secret.secrets()) {
      all.add(new MACVerifier(each));
    }
    return List.copyOf(all);
  }

  /// Accepts tokens that are signed with one of these secrets, and no others, from now on. Event streams of others end.
  public void replace(TokenSecret secret) {
    try {
      verifiers = verifiers(secret);
    } catch (JOSEException e) {
      throw new IllegalArgumentException("expected a secret for HS256", e);
    }
  }

  Authentication authenticate(SignedJWT jwt) throws InvalidToken, ParseException {
    List<JWSVerifier> current = verifiers;
    if (!isSignedWith(current, jwt)) {
      throw new InvalidToken(
          current.isEmpty()
              ? "this server has no secret for tokens (HS256): expected a token of an issuer"
              : "the token is not signed by this server's secret (HS256)");
    }
    JWTClaimsSet claims = jwt.getJWTClaimsSet();
    var lifetime = authenticator.lifetime(claims, JwtTokenValidator.LEEWAY);
    if (rules.audience().isPresent()) {
      TokenAuthenticator.requireAudience(claims, rules.audience().get());
    }
    String subject = requireClaim("sub", claims.getSubject());
    if (CallerName.hasIssuer(subject)) {
      throw new InvalidToken("the token's sub has a #, as only callers of issuers have it");
    }
    String tenant = requireClaim(Caller.TENANT, claims.getStringClaim(Caller.TENANT));
    List<String> roles = Objects.requireNonNullElse(claims.getStringListClaim("roles"), List.of());
    return authenticator.authenticate(
        new BearerToken(TokenAuthenticator.id(claims), subject, tenant, lifetime.issuedAt(), lifetime.expiresAt()),
        roles,
        () -> isStillSigned(jwt, current));
  }

  /// @param before those that have verified it
  private boolean isStillSigned(SignedJWT jwt, List<JWSVerifier> before) {
    List<JWSVerifier> current = verifiers;
    try {
      return current.equals(before) || isSignedWith(current, jwt);
    } catch (InvalidToken _) {
      return false;
    }
  }

  private static boolean isSignedWith(List<JWSVerifier> verifiers, SignedJWT jwt) throws InvalidToken {
    try {
      for (JWSVerifier each : verifiers) {
        if (jwt.verify(each)) {
          return true;
        }
      }
      return false;
    } catch (JOSEException e) {
      throw new InvalidToken("the token is not a signed JWT", e);
    }
  }

  private static String requireClaim(String claim, @Nullable String value) throws InvalidToken {
    if (value == null || value.isBlank()) {
      throw new InvalidToken("the token has no " + claim);
    }
    return value;
  }
}
