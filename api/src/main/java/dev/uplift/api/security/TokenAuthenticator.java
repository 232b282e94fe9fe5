package dev.uplift.api.security;

import com.nimbusds.jwt.JWTClaimsSet;
import io.micronaut.security.authentication.Authentication;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/// Checks what every token has to be, once it is known where it comes from: in time, for this server, not revoked, and
/// with a role.
@Singleton
final class TokenAuthenticator {
  private final TokenRules rules;
  private final RevokedTokens revokedTokens;
  private final InstantSource clock;

  TokenAuthenticator(TokenRules rules, RevokedTokens revokedTokens, InstantSource clock) {
    this.rules = rules;
    this.revokedTokens = revokedTokens;
    this.clock = clock;
  }

  /// Returns when a JWT was issued and when it expires, leeway included.
  Lifetime lifetime(JWTClaimsSet claims, Duration leeway) throws InvalidToken {
    Instant issuedAt = requireIssueTime(claims, leeway);
    return new Lifetime(issuedAt, requireInTime(claims, issuedAt, leeway));
  }

  record Lifetime(Instant issuedAt, Instant expiresAt) {}

  /// @param isSigned whether the signature counts still
  Authentication authenticate(BearerToken token, Collection<String> roles, BooleanSupplier isSigned)
      throws InvalidToken {
    return authenticate(token, roles, "", isSigned);
  }

  /// As [#authenticate]; the request says which token it came with.
  Authentication authenticateScript(BearerToken token, Collection<String> roles) throws InvalidToken {
    return authenticate(token, roles, token.id(), () -> true);
  }

  boolean isRevoked(BearerToken token) {
    return revokedTokens.contains(token);
  }

  private Authentication authenticate(
      BearerToken token, Collection<String> roles, String script, BooleanSupplier isSigned) throws InvalidToken {
    List<String> granted = Roles.effectiveRoles(roles);
    if (granted.isEmpty()) {
      throw new InvalidToken("the token has none of the roles " + String.join(", ", Roles.ALL));
    }
    if (revokedTokens.contains(token)) {
      throw new InvalidToken("the token was revoked");
    }
    return Authentication.build(
        token.subject(),
        granted,
        Map.of(
            Caller.TENANT,
            token.tenant(),
            Caller.SCRIPT,
            script,
            Caller.TOKEN_IS_VALID,
            (BooleanSupplier) () -> isValid(token) && isSigned.getAsBoolean()));
  }

  /// Returns whether a token that was valid is so still.
  private boolean isValid(BearerToken token) {
    return clock.instant().isBefore(token.expiresAt()) && !revokedTokens.contains(token);
  }

  /// Without it, neither a longest lifetime nor the revocation of all tokens up to a time would mean anything.
  private Instant requireIssueTime(JWTClaimsSet claims, Duration leeway) throws InvalidToken {
    Date issued = claims.getIssueTime();
    if (issued == null) {
      throw new InvalidToken("the token has no time of issue (iat)");
    }
    if (issued.toInstant().minus(leeway).isAfter(clock.instant())) {
      throw new InvalidToken("the token is issued in the future, at " + issued.toInstant());
    }
    return issued.toInstant();
  }

  /// Returns when it expires, leeway included.
  private Instant requireInTime(JWTClaimsSet claims, Instant issuedAt, Duration leeway) throws InvalidToken {
    Instant now = clock.instant();
    Date expires = claims.getExpirationTime();
    if (expires == null) {
      throw new InvalidToken("the token has no expiry (exp)");
    }
    if (expires.toInstant().plus(leeway).isBefore(now)) {
      throw new InvalidToken("the token expired at " + expires.toInstant());
    }
    Date notBefore = claims.getNotBeforeTime();
    if (notBefore != null && notBefore.toInstant().minus(leeway).isAfter(now)) {
      throw new InvalidToken("the token is not valid before " + notBefore.toInstant());
    }
    if (expires.toInstant().isAfter(issuedAt.plus(rules.maxLifetime()).plus(leeway))) {
      throw new InvalidToken(
          "the token is valid for too long: expected at most %s from when it is issued".formatted(rules.maxLifetime()));
    }
    return expires.toInstant().plus(leeway);
  }

  static void requireAudience(JWTClaimsSet claims, String audience) throws InvalidToken {
    if (!claims.getAudience().contains(audience)) {
      throw new InvalidToken("the token is not for this server: expected aud " + audience);
    }
  }

  static String id(JWTClaimsSet claims) {
    return Objects.requireNonNullElse(claims.getJWTID(), "");
  }
}
