package dev.uplift.openapi;

import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.HttpMethodMapping;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.ParameterElement;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// A route of a controller, as far as its signature and its annotations tell.
///
/// @param id of its operation in the document: the name of the method
/// @param tag under which it is listed: the package of its controller
/// @param path with its variables in braces
/// @param role the lowest that may use it
/// @param hasBody whether it takes JSON
/// @param hasKey whether callers may choose the id of what it creates
/// @param hasEtag whether it answers with a version of what it shows
/// @param isStream whether it answers with server-sent events
/// @param queryParameters their names
/// @param statuses those that it responds with beside the ones that all routes have
record Route(
    String id,
    String tag,
    HttpMethod method,
    String path,
    String role,
    boolean hasBody,
    boolean hasKey,
    boolean hasEtag,
    boolean isStream,
    List<String> queryParameters,
    List<Integer> statuses) {
  private static final String REQUEST = "dev.uplift.api.request.";

  /// The route of a method; empty if it has none, or none within a request context.
  static Optional<Route> of(ClassElement controller, MethodElement method) {
    List<String> parameters = parameterTypes(method).toList();
    if (!method.hasStereotype(HttpMethodMapping.class) || !parameters.contains(REQUEST + "RequestContext")) {
      return Optional.empty();
    }
    List<Integer> statuses =
        Arrays.stream(method.getValue(REQUEST + "ResponseStatuses", int[].class).orElse(new int[0])).boxed().toList();
    return Optional.of(
        new Route(
            method.getName(),
            capitalized(controller.getPackageName().replaceFirst(".*\\.", "")),
            httpMethod(method),
            controller.stringValue(Controller.class).orElse("")
                + method.stringValue(HttpMethodMapping.class).filter(p -> !p.equals("/")).orElse(""),
            role(method).or(() -> role(controller)).orElseThrow(),
            Arrays.stream(method.getParameters()).anyMatch(p -> p.hasAnnotation(Body.class)),
            parameters.contains(REQUEST + "IdempotencyKey"),
            !isStream(method) && hasEtag(method, statuses),
            isStream(method),
            List.of(method.stringValues(REQUEST + "QueryParameters")),
            statuses));
  }

  /// Parameters that are no part of what a client sends, or that are described once for all.
  static boolean isHidden(ParameterElement parameter) {
    String type = parameter.getType().getName();
    return type.startsWith(REQUEST) || type.startsWith("dev.uplift.fleet.");
  }

  private static boolean isStream(MethodElement method) {
    return List.of(method.stringValues("io.micronaut.http.annotation.Produces")).contains("text/event-stream");
  }

  /// A route that reads sets headers only for this; one that runs an action shows no version.
  private static boolean hasEtag(MethodElement method, List<Integer> statuses) {
    String type = method.getReturnType().getName();
    return httpMethod(method) == HttpMethod.GET
        ? type.equals("io.micronaut.http.HttpResponse") && !statuses.contains(204)
        : statuses.contains(412) && !type.endsWith("ActionResponse");
  }

  boolean isRead() {
    return method == HttpMethod.GET || method == HttpMethod.HEAD;
  }

  static String capitalized(String text) {
    return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private static Stream<String> parameterTypes(MethodElement method) {
    return Arrays.stream(method.getParameters()).map(p -> p.getType().getName());
  }

  private static HttpMethod httpMethod(MethodElement method) {
    return method
        .getAnnotationNameByStereotype(HttpMethodMapping.class)
        .map(name -> name.substring(name.lastIndexOf('.') + 1).toUpperCase(Locale.ROOT))
        .map(HttpMethod::valueOf)
        .orElseThrow();
  }

  private static Optional<String> role(AnnotationMetadata annotated) {
    return annotated.stringValue("io.micronaut.security.annotation.Secured");
  }
}
