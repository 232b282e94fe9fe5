package dev.uplift.api.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.micronaut.security.authentication.Authentication;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.net.http.HttpClient;
import java.security.Key;
import java.text.ParseException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/// Access tokens of the [OidcIssuers], signed with a key that the issuer publishes. No other algorithms than those with
/// public keys: `none`, and a public key used as a secret, are refused whatever a token says. The issuers may be
/// replaced at any time.
@Singleton
public final class IssuerTokens {
  /// RS, PS and ES with 256, 384 and 512 bits; of each key the one that the issuer gave it, if it says so.
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

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
    List<? extends Key> known = trusted.keys().known().map(keys -> select(keys, header)).orElse(List.of());
    if (!known.isEmpty()) {
      return CompletableFuture.completedFuture(authenticate(jwt, claims, known, trusted.issuer()));
    }
    return trusted
        .keys()
        .recent()
        .thenCompose(keys -> {
          try {
            return CompletableFuture.completedFuture(authenticate(jwt, claims, select(keys, header), trusted.issuer()));
          } catch (InvalidToken e) {
            return CompletableFuture.failedFuture(e);
          }
        });
  }

  private static void requireKind(JWSHeader header) throws InvalidToken {
    if (!ALGORITHMS.contains(header.getAlgorithm())) {
      throw new InvalidToken("the token's algorithm is not one that is accepted: RS, PS or ES with 256 to 512 bits");
    }
    try {
      TYPES.verify(header.getType(), null);
    } catch (BadJOSEException e) {
      throw new InvalidToken("the token is no access token: expected the type JWT or at+jwt", e);
    }
  }

  private static List<? extends Key> select(JWKSet keys, JWSHeader header) {
    try {
      return new JWSVerificationKeySelector<SecurityContext>(ALGORITHMS, new ImmutableJWKSet<>(keys))
          .selectJWSKeys(header, null);
    } catch (com.nimbusds.jose.KeySourceException e) {
      throw new IllegalStateException("keys in memory are there", e);
    }
  }

  private Authentication authenticate(SignedJWT jwt, JWTClaimsSet claims, List<? extends Key> keys, OidcIssuer issuer)
      throws InvalidToken {
    requireSignature(jwt, keys, issuer);
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

  private static void requireSignature(SignedJWT jwt, List<? extends Key> keys, OidcIssuer issuer) throws InvalidToken {
    try {
      for (Key key : keys) {
        if (jwt.verify(new DefaultJWSVerifierFactory().createJWSVerifier(jwt.getHeader(), key))) {
          return;
        }
      }
    } catch (JOSEException e) {
      throw new InvalidToken("the token's signature cannot be checked", e);
    }
    throw new InvalidToken("the token is not signed with a key of its issuer " + issuer.issuer());
  }

  @PreDestroy
  void close() {
    issuers.values().forEach(each -> each.keys().close());
    http.shutdownNow();
  }
}
