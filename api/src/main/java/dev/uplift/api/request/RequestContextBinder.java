package dev.uplift.api.request;

import dev.uplift.api.json.Utf8;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.security.Caller;
import dev.uplift.api.security.DeletedTenants;
import dev.uplift.fleet.NameRule;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.bind.binders.PostponedRequestArgumentBinder;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteMatch;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Binds the [RequestContext] of a route, or refuses wrong query parameters. After the filters, because they
/// authenticate the caller.
@Singleton
final class RequestContextBinder
    implements TypedRequestArgumentBinder<RequestContext>, PostponedRequestArgumentBinder<RequestContext> {
  private static final List<String> SINGLE_HEADERS =
      List.of(
          HttpHeaders.AUTHORIZATION,
          HttpHeaders.IF_MATCH,
          HttpHeaders.IF_NONE_MATCH,
          IdempotencyKey.HEADER,
          "Last-Event-ID");

  private final DeletedTenants deletedTenants;

  RequestContextBinder(DeletedTenants deletedTenants) {
    this.deletedTenants = deletedTenants;
  }

  @Override
  public Argument<RequestContext> argumentType() {
    return Argument.of(RequestContext.class);
  }

  @Override
  public BindingResult<RequestContext> bind(ArgumentConversionContext<RequestContext> context, HttpRequest<?> request) {
    RouteMatch<?> route = RouteAttributes.getRouteMatch(request).orElseThrow();
    requireUtf8(request);
    requireValidTenant(route);
    requireOnce(request);
    Caller caller = Caller.of(request.getUserPrincipal(Authentication.class).orElseThrow());
    requireNotDeleted(route, caller);
    RequestContext requestContext =
        new RequestContext(
            caller,
            String.valueOf(route.getVariableValues().get("tenant")),
            request.getRemoteAddress().getAddress().getHostAddress(),
            parameters(request, allowedParameters(request, route)),
            request.getHeaders());
    // Now, because a misspelt `validate` must not be looked at after something has been found.
    var _ = requestContext.isValidateOnly();
    return () -> Optional.of(requestContext);
  }

  /// Bytes that are no UTF-8 would all become the same replacement character, so that different addresses met.
  private static void requireUtf8(HttpRequest<?> request) {
    URI address = request.getUri();
    if (!Utf8.isPercentEncoded(address.getRawPath()) || !Utf8.isPercentEncoded(address.getRawQuery())) {
      throw ProblemException.of(HttpStatus.BAD_REQUEST, "expected UTF-8 in the address, percent-encoded");
    }
  }

  /// A name in a path that no tenant can have never reaches a table or a folder.
  private static void requireValidTenant(RouteMatch<?> route) {
    Object tenant = route.getVariableValues().get("tenant");
    if (tenant != null) {
      RequestContext.requireName("tenant", NameRule.TENANT, tenant.toString());
    }
  }

  private void requireNotDeleted(RouteMatch<?> route, Caller caller) {
    Object tenant = route.getVariableValues().get("tenant");
    boolean isAllowed =
        caller.hasAllTenants() && route.getAnnotationMetadata().hasAnnotation(AllowsDeletedTenant.class);
    if (tenant != null && !isAllowed && deletedTenants.contains(tenant.toString())) {
      throw ProblemException.notFound(
          "the tenant %s is deleted; its name is not used again, and only its audit is left".formatted(tenant));
    }
  }

  /// Of a header that is sent twice, the framework would take the first.
  private static void requireOnce(HttpRequest<?> request) {
    List<RequestError> errors =
        SINGLE_HEADERS.stream()
            .filter(name -> request.getHeaders().getAll(name).size() > 1)
            .map(name -> RequestError.header(name, "expected it once, found it several times"))
            .toList();
    if (!errors.isEmpty()) {
      throw ProblemException.badRequest(errors);
    }
  }

  private static Set<String> allowedParameters(HttpRequest<?> request, RouteMatch<?> route) {
    Set<String> known = new TreeSet<>(List.of(route.getAnnotationMetadata().stringValues(QueryParameters.class)));
    if (request.getMethod() != HttpMethod.GET && request.getMethod() != HttpMethod.HEAD) {
      known.add(RequestContext.VALIDATE);
    }
    return known;
  }

  private static Map<String, String> parameters(HttpRequest<?> request, Set<String> known) {
    Map<String, String> parameters = new TreeMap<>();
    List<RequestError> errors = new ArrayList<>();
    for (var parameter : request.getParameters().asMap().entrySet()) {
      String name = parameter.getKey();
      if (!known.contains(name)) {
        errors.add(RequestError.parameter(name, unknownParameter(known)));
      } else if (parameter.getValue().size() != 1) {
        errors.add(RequestError.parameter(name, "is there more than once"));
      } else {
        parameters.put(name, parameter.getValue().getFirst());
      }
    }
    if (!errors.isEmpty()) {
      throw ProblemException.badRequest(errors);
    }
    return parameters;
  }

  private static String unknownParameter(Set<String> known) {
    return known.isEmpty()
        ? "unknown parameter; there is none"
        : "unknown parameter; expected one of " + String.join(", ", known);
  }
}
