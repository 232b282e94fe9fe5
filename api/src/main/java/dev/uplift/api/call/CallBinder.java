package dev.uplift.api.call;

import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
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

/// Gives a route its [Call], or refuses it for what is wrong with its parameters. After the
/// filters, for they find out who calls.
@Singleton
final class CallBinder
    implements TypedRequestArgumentBinder<Call>, PostponedRequestArgumentBinder<Call> {
  @Override
  public Argument<Call> argumentType() {
    return Argument.of(Call.class);
  }

  @Override
  public BindingResult<Call> bind(ArgumentConversionContext<Call> context, HttpRequest<?> request) {
    RouteMatch<?> route = RouteAttributes.getRouteMatch(request).orElseThrow();
    Caller caller = Caller.of(request.getUserPrincipal(Authentication.class).orElseThrow());
    Call call =
        new Call(
            caller,
            String.valueOf(route.getVariableValues().get("tenant")),
            request.getRemoteAddress().getAddress().getHostAddress(),
            parameters(request, known(request, route)),
            request.getHeaders());
    return () -> Optional.of(call);
  }

  private static Set<String> known(HttpRequest<?> request, RouteMatch<?> route) {
    Set<String> known =
        new TreeSet<>(List.of(route.getAnnotationMetadata().stringValues(Takes.class)));
    if (request.getMethod() != HttpMethod.GET && request.getMethod() != HttpMethod.HEAD) {
      known.add(Call.VALIDATE);
    }
    return known;
  }

  private static Map<String, String> parameters(HttpRequest<?> request, Set<String> known) {
    Map<String, String> parameters = new TreeMap<>();
    List<Fault> faults = new ArrayList<>();
    for (var parameter : request.getParameters().asMap().entrySet()) {
      String name = parameter.getKey();
      if (!known.contains(name)) {
        faults.add(Fault.parameter(name, unknown(known)));
      } else if (parameter.getValue().size() != 1) {
        faults.add(Fault.parameter(name, "is there more than once"));
      } else {
        parameters.put(name, parameter.getValue().getFirst());
      }
    }
    if (!faults.isEmpty()) {
      throw Refusal.malformed(faults);
    }
    return parameters;
  }

  private static String unknown(Set<String> known) {
    return known.isEmpty()
        ? "unknown parameter; there is none"
        : "unknown parameter; there may be " + String.join(", ", known);
  }
}
