package dev.uplift.api.security;

import dev.uplift.api.problem.Refusal;
import dev.uplift.api.problem.RefusalHandler;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.authentication.AuthorizationException;
import io.micronaut.security.authentication.DefaultAuthorizationExceptionHandler;
import io.micronaut.web.router.RouteAttributes;
import jakarta.inject.Singleton;

/// Says why somebody may not: 401 without a good token, 404 in another tenant, else 403.
@Singleton
@Replaces(DefaultAuthorizationExceptionHandler.class)
final class RejectionHandler implements ExceptionHandler<AuthorizationException, HttpResponse<?>> {
  private final RefusalHandler refusals;

  RejectionHandler(RefusalHandler refusals) {
    this.refusals = refusals;
  }

  @Override
  @SuppressWarnings("rawtypes") // As the framework's interface has it.
  public HttpResponse<?> handle(HttpRequest request, AuthorizationException rejection) {
    return refusals.handle(request, refusal((HttpRequest<?>) request, rejection));
  }

  private static Refusal refusal(HttpRequest<?> request, AuthorizationException rejection) {
    Authentication authentication = rejection.getAuthentication();
    if (authentication == null) {
      return unauthenticated(request);
    }
    if (TenantRule.isForeign(request, authentication)) {
      return Refusal.notFound("there is nothing at " + request.getPath());
    }
    return Refusal.of(
        HttpStatus.FORBIDDEN,
        "needs the role %s; %s has %s"
            .formatted(
                needed(request),
                authentication.getName(),
                String.join(", ", authentication.getRoles())));
  }

  private static String needed(HttpRequest<?> request) {
    return RouteAttributes.getRouteMatch(request)
        .flatMap(route -> route.getAnnotationMetadata().stringValue(Secured.class))
        .orElse("of somebody else");
  }

  private static Refusal unauthenticated(HttpRequest<?> request) {
    return Tokens.whyRefused(request)
        .map(why ->
            Refusal.of(HttpStatus.UNAUTHORIZED, why)
                .with("WWW-Authenticate", "Bearer realm=\"uplift\", error=\"invalid_token\""))
        .orElseGet(() ->
            Refusal.of(
                    HttpStatus.UNAUTHORIZED,
                    "needs a token: the header Authorization: Bearer <token>")
                .with("WWW-Authenticate", "Bearer realm=\"uplift\""));
  }
}
