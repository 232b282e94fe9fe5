package dev.uplift.openapi;

import static java.util.Comparator.comparingInt;
import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Completes operations by what follows from their routes: texts, role, shared parameters, and responses.
///
/// `shared.yml` has the parameters: those of a path by their name, those of a query by their name after `query.`, or
/// after the operation where it has one of its own. It has the problem documents by their status, and bodies of
/// requests that are not JSON by the operation.
final class OperationConventions {
  private final OpenAPI document;

  private final Components shared;

  OperationConventions(OpenAPI document, Components shared) {
    this.document = document;
    this.shared = shared;
  }

  void complete(Route route) {
    PathItem path = requireNonNull(document.getPaths().get(route.path()), route.path());
    Operation operation = requireNonNull(path.readOperationsMap().get(route.method()), route.id());
    operation.setOperationId(route.id());
    operation.setTags(List.of(route.tag()));
    describe(operation, route.role());
    operation.setSecurity(List.of(new SecurityRequirement().addList("token")));
    operation.setParameters(parameters(operation, route));
    if (shared.getRequestBodies().containsKey(route.id())) {
      operation.setRequestBody(new RequestBody().$ref("#/components/requestBodies/" + route.id()));
    }
    operation.setResponses(responses(operation, route));
  }

  private static void describe(Operation operation, String role) {
    String summary = DocComments.unescaped(operation.getSummary());
    String text = DocComments.unescaped(operation.getDescription());
    String more = text.startsWith(summary) ? text.substring(summary.length()).strip() : text;
    String needs = "Needs the role `" + role + "`.";
    operation.setSummary(summary);
    operation.setDescription(more.isEmpty() ? needs : more + " " + needs);
  }

  private List<Parameter> parameters(Operation operation, Route route) {
    List<Parameter> all = new ArrayList<>();
    if (operation.getParameters() != null) {
      operation.getParameters().stream()
          .filter(parameter -> parameter.getIn().equals("path"))
          .sorted(comparingInt(parameter -> route.path().indexOf("{" + parameter.getName() + "}")))
          .forEach(parameter -> all.add(reference(parameter.getName())));
      operation.getParameters().stream()
          .filter(parameter -> !parameter.getIn().equals("path"))
          .forEach(parameter -> all.add(reference(ownOr("", route, parameter.getName()))));
    }
    for (String name : route.queryParameters()) {
      all.add(reference(ownOr("query.", route, name)));
    }
    sharedHeaders(route).forEach(name -> all.add(reference(name)));
    if (!route.isRead()) {
      all.add(reference("query.validate"));
    }
    return all;
  }

  private String ownOr(String prefix, Route route, String name) {
    String own = route.id() + "." + name;
    return shared.getParameters().containsKey(own) ? own : prefix + name;
  }

  private static List<String> sharedHeaders(Route route) {
    List<String> names = new ArrayList<>();
    if (route.hasKey()) {
      names.add("Idempotency-Key");
    }
    if (route.statuses().contains(304)) {
      names.add("If-None-Match");
    }
    if (route.statuses().contains(412)) {
      names.add("If-Match");
    }
    if (route.statuses().contains(412) && route.statuses().contains(201)) {
      names.add("If-None-Match-Any");
    }
    if (route.isStream()) {
      names.add("Last-Event-ID");
    }
    return names;
  }

  private static Parameter reference(String name) {
    return new Parameter().$ref("#/components/parameters/" + name);
  }

  private static ApiResponses responses(Operation operation, Route route) {
    Map<String, ApiResponse> given = operation.getResponses();
    ApiResponse ok = given.get("200");
    Map<String, ApiResponse> all = new TreeMap<>();
    for (int status : statuses(route)) {
      String code = String.valueOf(status);
      ApiResponse annotated = status == 200 ? null : given.get(code);
      all.put(
          code,
          annotated != null
              ? annotated
              : status >= 400 ? new ApiResponse().$ref("#/components/responses/" + code) : success(status, ok, route));
    }
    ApiResponses responses = new ApiResponses();
    responses.putAll(all);
    return responses;
  }

  private static Set<Integer> statuses(Route route) {
    TreeSet<Integer> statuses = new TreeSet<>(route.statuses());
    if (statuses.isEmpty() || statuses.first() == 304 || statuses.first() >= 400) {
      statuses.add(200);
    }
    statuses.addAll(List.of(400, 401, 503));
    if (route.path().contains("{")) {
      statuses.add(404);
    }
    if (!route.isRead() || !route.role().equals("viewer")) {
      statuses.add(403);
    }
    if (route.isStream()) {
      statuses.add(429);
    }
    if (route.queryParameters().contains("filter")) {
      statuses.add(414);
    }
    if (route.hasBody()) {
      statuses.addAll(List.of(413, 415));
    }
    return statuses;
  }

  private static ApiResponse success(int status, @Nullable ApiResponse ok, Route route) {
    ApiResponse response = new ApiResponse();
    switch (status) {
      case 200 -> response.setDescription(okDescription(ok, route));
      case 201 -> response.setDescription("It was created.");
      case 204 ->
          response.setDescription(
              route.isStream() ? "The event of that id was the last one. Do not come back." : "It is done.");
      case 304 -> response.setDescription("It is as it was at that ETag.");
      default -> throw new IllegalArgumentException(route.id() + " responds with " + status);
    }
    if (status < 204 && ok != null) {
      response.setContent(route.isStream() ? eventStream() : ok.getContent());
    }
    if (status < 204 && route.hasEtag()) {
      response.addHeaderObject("ETag", new Header().$ref("#/components/headers/ETag"));
    }
    if (status == 201 && route.statuses().contains(200) && route.method() == HttpMethod.POST) {
      response.addHeaderObject("Location", new Header().$ref("#/components/headers/Location"));
    }
    return response;
  }

  private static String okDescription(@Nullable ApiResponse ok, Route route) {
    if (route.isStream()) {
      return route.statuses().contains(204)
          ? "The events, as they happen. Ends after `ended`, and when the token ends."
          : "The events, as they happen. Ends when the token ends.";
    }
    String given = ok == null ? "" : DocComments.sentence(ok.getDescription());
    if (!given.endsWith("200 response.")) {
      return given;
    }
    if (route.queryParameters().contains("cursor")) {
      return "A part of the list.";
    }
    return route.method() == HttpMethod.GET
        ? "As it is now."
        : route.statuses().contains(201) ? "It was there before; as it is now." : "It is done.";
  }

  /// Without a schema: before OpenAPI 3.2 none describes the events of a stream, and the stream itself has no end.
  private static Content eventStream() {
    return new Content().addMediaType("text/event-stream", new MediaType());
  }
}
