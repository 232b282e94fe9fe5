package dev.uplift.api.security;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.micronaut.security.authentication.Authentication;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.net.http.HttpClient;
import java.text.ParseException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Access tokens of the [OidcIssuers], signed with a key that the issuer publishes ([IssuerKeySet]). The issuers may be
/// replaced at any time.
@Singleton
public final class IssuerTokens {
  /// An issuer signs other things with the same keys, such as logouts.
  private static final DefaultJOSEObjectTypeVerifier<SecurityContext> TYPES =
      new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null);

  private volatile Map<String, Trusted> issuers = Map.of();
  private final HttpClient http =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).connectTimeout(Duration.ofSeconds(5)).build();
  private final TokenAuthenticator authenticator;

  IssuerTokens(OidcIssuers trusted, TokenAuthenticator authenticator) {
    this.authenticator = authenticator;
    replace(trusted);
  }

  /// Accepts tokens of these issuers, and of no others, from now on. Event streams end whose token is of an issuer that
  /// is not among them, or whose claims mean something else now.
  public synchronized void replace(OidcIssuers others) {
    Map<String, Trusted> before = issuers;
    Map<String, Trusted> after = new HashMap<>();
    for (OidcIssuer each : others.list()) {
      String name = each.issuer().toString();
      Trusted known = before.get(name);
      after.put(
          name,
          new Trusted(each, known == null ? new IssuerKeys(each.issuer(), http, System::nanoTime) : known.keys()));
    }
    issuers = Map.copyOf(after);
    before.forEach((name, old) -> {
      if (!after.containsKey(name)) {
        old.keys().close();
      }
    });
  }

  private boolean isTrusted(OidcIssuer issuer) {
    Trusted now = issuers.get(issuer.issuer().toString());
    return now != null && now.issuer().equals(issuer);
  }

  private record Trusted(OidcIssuer issuer, IssuerKeys keys) {}

  /// Fails with [InvalidToken], or with [IssuerUnavailable] if the keys of the issuer could not be read.
  CompletableFuture<Authentication> authenticate(SignedJWT jwt) throws InvalidToken, ParseException {
    JWSHeader header = jwt.getHeader();
    requireKind(header);
    JWTClaimsSet claims = jwt.getJWTClaimsSet();
    Trusted trusted = issuers.get(claims.getIssuer());
    if (trusted == null) {
      throw new InvalidToken("the token is of no issuer that this server accepts (iss)");
    }
    Optional<IssuerKeySet> known = trusted.keys().known().filter(keys -> keys.hasKeyFor(header));
    if (known.isPresent()) {
      return CompletableFuture.completedFuture(authenticate(jwt, claims, known.get(), trusted.issuer()));
    }
    return trusted
        .keys()
        .recent()
        .thenCompose(keys -> {
          try {
            return CompletableFuture.completedFuture(authenticate(jwt, claims, keys, trusted.issuer()));
          } catch (InvalidToken e) {
            return CompletableFuture.failedFuture(e);
          }
        });
  }

  private static void requireKind(JWSHeader header) throws InvalidToken {
    IssuerKeySet.requireAlgorithm(header);
    try {
      TYPES.verify(header.getType(), null);
    } catch (BadJOSEException e) {
      throw new InvalidToken("the token is no access token: expected the type JWT or at+jwt", e);
    }
  }

  private Authentication authenticate(SignedJWT jwt, JWTClaimsSet claims, IssuerKeySet keys, OidcIssuer issuer)
      throws InvalidToken {
    if (!keys.verify(jwt)) {
      throw new InvalidToken("the token is not signed with a key of its issuer " + issuer.issuer());
    }
    var lifetime = authenticator.lifetime(claims, issuer.clockSkew());
    TokenAuthenticator.requireAudience(claims, issuer.audience());
    return authenticator.authenticate(
        new BearerToken(
            TokenAuthenticator.id(claims),
            issuer.callerName(claims),
            issuer.tenant(claims),
            lifetime.issuedAt(),
            lifetime.expiresAt()),
        issuer.roles(claims),
        () -> isTrusted(issuer));
  }

  @PreDestroy
  void close() {
    issuers.values().forEach(each -> each.keys().close());
    http.shutdownNow();
  }
}
