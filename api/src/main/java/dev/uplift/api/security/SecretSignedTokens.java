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

/// JWTs that are signed with HS256 and our secret, with subject, tenant, roles, time of issue and expiry.
@Singleton
final class SecretSignedTokens {
  private final List<JWSVerifier> verifiers = new ArrayList<>();
  private final TokenRules rules;
  private final TokenAuthenticator authenticator;

  SecretSignedTokens(TokenSecret secret, TokenRules rules, TokenAuthenticator authenticator) throws JOSEException {
    this.rules = rules;
    this.authenticator = authenticator;
    for (byte[] each : secret.secrets()) {
      verifiers.add(new MACVerifier(each));
    }
  }

  Authentication authenticate(SignedJWT jwt) throws InvalidToken, ParseException {
    if (!isSignedByUs(jwt)) {
      throw new InvalidToken(
          verifiers.isEmpty()
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
        roles);
  }

  private boolean isSignedByUs(SignedJWT jwt) throws InvalidToken {
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
