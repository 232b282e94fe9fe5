package dev.uplift.api.security;

import static java.util.Objects.requireNonNull;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jwt.SignedJWT;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.token.validator.TokenValidator;
import jakarta.inject.Singleton;
import java.text.ParseException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/// Validates bearer tokens: those of scripts by [ApiTokens], JWTs with HS256 by [SecretSignedTokens], all others by
/// [IssuerTokens]. Stores why it rejected one in the request.
///
/// Runs on threads that must not block. Only a token whose key is unknown waits, for the issuer, without a thread.
@Singleton
final class JwtTokenValidator implements TokenValidator<HttpRequest<?>> {
  /// Tolerates a difference of clocks.
  static final Duration LEEWAY = Duration.ofSeconds(30);

  private static final String REJECTION = "uplift.token-rejected";

  private final SecretSignedTokens secretSigned;
  private final IssuerTokens issued;
  private final ApiTokens scripts;

  JwtTokenValidator(SecretSignedTokens secretSigned, IssuerTokens issued, ApiTokens scripts) {
    this.scripts = scripts;
    this.secretSigned = secretSigned;
    this.issued = issued;
  }

  /// Why a token was not accepted.
  ///
  /// @param status 401, or 503 if it is not known whether it is valid
  record Rejection(HttpStatus status, String reason) {}

  @Override
  public Publisher<Authentication> validateToken(String token, @Nullable HttpRequest<?> request) {
    CompletableFuture<Authentication> result = authenticate(token);
    if (result.isDone() && !result.isCompletedExceptionally()) {
      return Publishers.just(result.join());
    }
    return Publishers.fromCompletableFuture(() ->
        result.exceptionally(failure -> {
          requireNonNull(request).setAttribute(REJECTION, rejection(failure));
          return null;
        }));
  }

  private CompletableFuture<Authentication> authenticate(String token) {
    try {
      if (token.startsWith(ApiTokens.PREFIX)) {
        return CompletableFuture.completedFuture(scripts.authenticate(token));
      }
      SignedJWT jwt = SignedJWT.parse(token);
      return jwt.getHeader().getAlgorithm().equals(JWSAlgorithm.HS256)
          ? CompletableFuture.completedFuture(secretSigned.authenticate(jwt))
          : issued.authenticate(jwt);
    } catch (InvalidToken e) {
      return CompletableFuture.failedFuture(e);
    } catch (ParseException | IllegalArgumentException e) {
      return CompletableFuture.failedFuture(new InvalidToken("the token is not a signed JWT", e));
    }
  }

  private static Rejection rejection(Throwable failure) {
    return switch (failure) {
      case InvalidToken e -> new Rejection(HttpStatus.UNAUTHORIZED, String.valueOf(e.getMessage()));
      case IssuerUnavailable e ->
          new Rejection(HttpStatus.SERVICE_UNAVAILABLE, e.getMessage() + "; nothing was done, try again");
      case CompletionException e when e.getCause() != null -> rejection(e.getCause());
      default -> throw new CompletionException(failure);
    };
  }

  /// Returns why the token of a request was rejected; empty if it has none.
  static Optional<Rejection> rejection(HttpRequest<?> request) {
    return request.getAttribute(REJECTION, Rejection.class);
  }
}
