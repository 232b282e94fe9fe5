package dev.uplift.api.security;

import static java.util.Objects.requireNonNull;

import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.http.HttpRequest;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.rules.SecurityRule;
import io.micronaut.security.rules.SecurityRuleResult;
import io.micronaut.web.router.RouteAttributes;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/// Rejects requests to another tenant, whatever the caller's roles. Runs before the role rules.
@Singleton
final class TenantSecurityRule implements SecurityRule<HttpRequest<?>> {
  private static final int BEFORE_ROLES = Integer.MIN_VALUE;

  @Override
  public Publisher<SecurityRuleResult> check(
      @Nullable HttpRequest<?> request, @Nullable Authentication authentication) {
    return Publishers.just(
        isOtherTenant(requireNonNull(request), authentication)
            ? SecurityRuleResult.REJECTED
            : SecurityRuleResult.UNKNOWN);
  }

  static boolean isOtherTenant(HttpRequest<?> request, @Nullable Authentication authentication) {
    return authentication != null
        && tenant(request).filter(name -> !Caller.of(authentication).mayAccess(name)).isPresent();
  }

  /// Returns the tenant in the path.
  private static Optional<String> tenant(HttpRequest<?> request) {
    return RouteAttributes.getRouteMatch(request)
        .map(route -> route.getVariableValues().get("tenant"))
        .map(Object::toString);
  }

  @Override
  public int getOrder() {
    return BEFORE_ROLES;
  }
}
