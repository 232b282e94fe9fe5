package dev.uplift.api.request;

import io.micronaut.context.propagation.slf4j.MdcPropagationContext;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.web.router.RouteAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Gives each line that a request logs the names in its path, in the log as JSON.
@ServerFilter({"/v1/tenants/**", "/v1/config/tenants/**", "/v1/state/tenants/**"})
final class LogContextFilter {
  private static final List<String> NAMES = List.of("tenant", "device", "host", "upgrade", "rollout");

  @RequestFilter
  void addNames(HttpRequest<?> request, MutablePropagatedContext context) {
    Map<String, String> found = new HashMap<>();
    RouteAttributes.getRouteMatch(request)
        .ifPresent(match -> {
          Map<String, Object> values = match.getVariableValues();
          NAMES.stream().filter(values::containsKey).forEach(name -> found.put(name, String.valueOf(values.get(name))));
        });
    context.add(new MdcPropagationContext(found));
  }
}
