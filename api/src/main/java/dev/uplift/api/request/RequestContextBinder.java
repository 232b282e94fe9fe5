package dev.uplift.api.request;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.security.Caller;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.PostponedRequestArgumentBinder;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteMatch;
import jakarta.inject.Singleton;
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
  @Override
  public Argument<RequestContext> argumentType() {
    return Argument.of(RequestContext.class);
  }

  @Override
  public BindingResult<RequestContext> bind(ArgumentConversionContext<RequestContext> context, HttpRequest<?> request) {
    RouteMatch<?> route = RouteAttributes.getRouteMatch(request).orElseThrow();
    Caller caller = Caller.of(request.getUserPrincipal(Authentication.class).orElseThrow());
    RequestContext requestContext =
        new RequestContext(
            caller,
            String.valueOf(route.getVariableValues().get("tenant")),
            request.getRemoteAddress().getAddress().getHostAddress(),
            parameters(request, allowedParameters(request, route)),
            request.getHeaders());
    return () -> Optional.of(requestContext);
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
