package dev.uplift.api.security;

import static java.util.Objects.requireNonNull;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.http.HttpRequest;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.token.validator.TokenValidator;
import jakarta.inject.Singleton;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/// Validates tokens: JWTs signed with HS256 and our secret, with subject, tenant, roles, time of issue and expiry, that
/// are not revoked. Stores the reason of a rejection in the request.
@Singleton
final class JwtTokenValidator implements TokenValidator<HttpRequest<?>> {
  private static final String REJECTION_REASON = "uplift.token-rejected";

  /// Tolerates a difference of clocks.
  private static final Duration LEEWAY = Duration.ofSeconds(30);

  private final List<JWSVerifier> verifiers = new ArrayList<>();
  private final TokenRules rules;
  private final RevokedTokens revokedTokens;
  private final InstantSource clock;

  JwtTokenValidator(TokenSecret secret, TokenRules rules, RevokedTokens revokedTokens, InstantSource clock)
      throws JOSEException {
    this.rules = rules;
    this.revokedTokens = revokedTokens;
    for (byte[] each : secret.secrets()) {
      verifiers.add(new MACVerifier(each));
    }
    this.clock = clock;
  }

  @Override
  public Publisher<Authentication> validateToken(String token, @Nullable HttpRequest<?> request) {
    try {
      return Publishers.just(read(token));
    } catch (InvalidToken e) {
      requireNonNull(request).setAttribute(REJECTION_REASON, String.valueOf(e.getMessage()));
      return Publishers.empty();
    }
  }

  /// Returns why the token of a request was rejected; empty if it has none.
  static Optional<String> rejectionReason(HttpRequest<?> request) {
    return request.getAttribute(REJECTION_REASON, String.class);
  }

  private Authentication read(String token) throws InvalidToken {
    try {
      SignedJWT jwt = SignedJWT.parse(token);
      if (!jwt.getHeader().getAlgorithm().equals(JWSAlgorithm.HS256) || !isSignedByUs(jwt)) {
        throw new InvalidToken("the token is not signed by this server's secret (HS256)");
      }
      return authentication(jwt.getJWTClaimsSet());
    } catch (ParseException | JOSEException | IllegalArgumentException e) {
      throw new InvalidToken("the token is not a signed JWT", e);
    }
  }

  private boolean isSignedByUs(SignedJWT jwt) throws JOSEException {
    for (JWSVerifier each : verifiers) {
      if (jwt.verify(each)) {
        return true;
      }
    }
    return false;
  }

  private Authentication authentication(JWTClaimsSet claims) throws InvalidToken, ParseException {
    Instant issuedAt = requireIssueTime(claims);
    Instant expiresAt = requireInTime(claims, issuedAt);
    requireAudience(claims);
    String subject = requireClaim("sub", claims.getSubject());
    String tenant = requireClaim(Caller.TENANT, claims.getStringClaim(Caller.TENANT));
    List<String> roles = claims.getStringListClaim("roles");
    List<String> granted = Roles.effectiveRoles(roles == null ? List.of() : roles);
    if (granted.isEmpty()) {
      throw new InvalidToken("the token has none of the roles " + String.join(", ", Roles.ALL));
    }
    String id = Objects.requireNonNullElse(claims.getJWTID(), "");
    BearerToken token = new BearerToken(id, subject, tenant, issuedAt, expiresAt);
    if (revokedTokens.contains(token)) {
      throw new InvalidToken("the token was revoked");
    }
    return Authentication.build(
        subject, granted, Map.of(Caller.TENANT, tenant, Caller.TOKEN_IS_VALID, (BooleanSupplier) () -> isValid(token)));
  }

  /// Returns whether a token that was valid is so still.
  private boolean isValid(BearerToken token) {
    return clock.instant().isBefore(token.expiresAt()) && !revokedTokens.contains(token);
  }

  /// Without it, neither a longest lifetime nor the revocation of all tokens up to a time would mean anything.
  private Instant requireIssueTime(JWTClaimsSet claims) throws InvalidToken {
    Date issued = claims.getIssueTime();
    if (issued == null) {
      throw new InvalidToken("the token has no time of issue (iat)");
    }
    if (issued.toInstant().minus(LEEWAY).isAfter(clock.instant())) {
      throw new InvalidToken("the token is issued in the future, at " + issued.toInstant());
    }
    return issued.toInstant();
  }

  /// Returns when it expires, leeway included.
  private Instant requireInTime(JWTClaimsSet claims, Instant issuedAt) throws InvalidToken {
    Instant now = clock.instant();
    Date expires = claims.getExpirationTime();
    if (expires == null) {
      throw new InvalidToken("the token has no expiry (exp)");
    }
    if (expires.toInstant().plus(LEEWAY).isBefore(now)) {
      throw new InvalidToken("the token expired at " + expires.toInstant());
    }
    Date notBefore = claims.getNotBeforeTime();
    if (notBefore != null && notBefore.toInstant().minus(LEEWAY).isAfter(now)) {
      throw new InvalidToken("the token is not valid before " + notBefore.toInstant());
    }
    if (expires.toInstant().isAfter(issuedAt.plus(rules.maxLifetime()).plus(LEEWAY))) {
      throw new InvalidToken(
          "the token is valid for too long: expected at most %s from when it is issued".formatted(rules.maxLifetime()));
    }
    return expires.toInstant().plus(LEEWAY);
  }

  private void requireAudience(JWTClaimsSet claims) throws InvalidToken {
    if (rules.audience().filter(name -> !claims.getAudience().contains(name)).isPresent()) {
      throw new InvalidToken("the token is not for this server: expected aud " + rules.audience().get());
    }
  }

  private static String requireClaim(String claim, @Nullable String value) throws InvalidToken {
    if (value == null || value.isBlank()) {
      throw new InvalidToken("the token has no " + claim);
    }
    return value;
  }

  private static final class InvalidToken extends Exception {
    private static final long serialVersionUID = 1;

    InvalidToken(String message) {
      super(message, null, false, false);
    }

    InvalidToken(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
