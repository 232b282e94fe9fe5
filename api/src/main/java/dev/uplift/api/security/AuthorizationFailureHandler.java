package dev.uplift.api.security;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.ProblemExceptionHandler;
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

/// Answers unauthorized requests: 401 without a valid token, 503 if it is not known whether the token is valid, 404 in
/// another tenant, else 403.
@Singleton
@Replaces(DefaultAuthorizationExceptionHandler.class)
final class AuthorizationFailureHandler implements ExceptionHandler<AuthorizationException, HttpResponse<?>> {
  private final ProblemExceptionHandler handler;

  AuthorizationFailureHandler(ProblemExceptionHandler handler) {
    this.handler = handler;
  }

  @Override
  @SuppressWarnings("rawtypes") // As the framework's interface has it.
  public HttpResponse<?> handle(HttpRequest request, AuthorizationException rejection) {
    return handler.handle(request, problem((HttpRequest<?>) request, rejection));
  }

  private static ProblemException problem(HttpRequest<?> request, AuthorizationException rejection) {
    Authentication authentication = rejection.getAuthentication();
    if (authentication == null) {
      return unauthenticated(request);
    }
    if (TenantSecurityRule.isOtherTenant(request, authentication)) {
      return ProblemException.notFound("there is nothing at " + request.getPath());
    }
    return ProblemException.of(
        HttpStatus.FORBIDDEN,
        "needs the role %s; %s has %s"
            .formatted(requiredRole(request), authentication.getName(), String.join(", ", authentication.getRoles())));
  }

  private static String requiredRole(HttpRequest<?> request) {
    return RouteAttributes.getRouteMatch(request)
        .flatMap(route -> route.getAnnotationMetadata().stringValue(Secured.class))
        .orElse("of another caller");
  }

  private static ProblemException unauthenticated(HttpRequest<?> request) {
    return JwtTokenValidator.rejection(request)
        .map(AuthorizationFailureHandler::rejected)
        .orElseGet(() ->
            ProblemException.of(HttpStatus.UNAUTHORIZED, "expected a token in the header Authorization: Bearer <token>")
                .withHeader("WWW-Authenticate", "Bearer realm=\"uplift\""));
  }

  private static ProblemException rejected(JwtTokenValidator.Rejection rejection) {
    ProblemException problem = ProblemException.of(rejection.status(), rejection.reason());
    return rejection.status() == HttpStatus.UNAUTHORIZED
        ? problem.withHeader("WWW-Authenticate", "Bearer realm=\"uplift\", error=\"invalid_token\"")
        : problem.withHeader("Retry-After", "5");
  }
}
