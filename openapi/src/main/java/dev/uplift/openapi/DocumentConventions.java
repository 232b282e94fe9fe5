package dev.uplift.openapi;

import io.micronaut.http.annotation.Controller;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.ParameterElement;
import io.micronaut.inject.visitor.TypeElementVisitor;
import io.micronaut.inject.visitor.VisitorContext;
import io.micronaut.openapi.OpenApiUtils;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Collects the routes and the records of `api` while it is compiled, and completes the document before
/// micronaut-openapi writes it.
public final class DocumentConventions implements TypeElementVisitor<Object, Object> {
  private final List<Route> routes = new ArrayList<>();
  private final SchemaConventions schemas = new SchemaConventions();
  private @Nullable ClassElement current;

  @Override
  public VisitorKind getVisitorKind() {
    return VisitorKind.AGGREGATING;
  }

  /// Ahead of the visitors of micronaut-openapi, which look at what this one annotates.
  @Override
  public int getOrder() {
    return 200;
  }

  @Override
  public void visitClass(ClassElement element, VisitorContext context) {
    current = element;
    if (element.isRecord()) {
      schemas.add(element);
    }
  }

  @Override
  public void visitMethod(MethodElement element, VisitorContext context) {
    ClassElement controller = current;
    if (controller == null || !controller.hasAnnotation(Controller.class)) {
      return;
    }
    Route.of(controller, element).ifPresent(routes::add);
    for (ParameterElement parameter : element.getParameters()) {
      if (Route.isHidden(parameter)) {
        parameter.annotate("io.swagger.v3.oas.annotations.Hidden");
      }
    }
  }

  @Override
  public void finish(VisitorContext context) {
    Optional<OpenAPI> document = context.get("io.micronaut.OPENAPI", OpenAPI.class);
    if (document.isEmpty() || routes.isEmpty()) {
      return;
    }
    OpenAPI shared = readShared();
    var operations = new OperationConventions(document.get(), shared.getComponents());
    routes.forEach(operations::complete);
    schemas.complete(document.get());
    merge(shared, document.get());
    routes.clear();
  }

  private static OpenAPI readShared() {
    try (InputStream in = DocumentConventions.class.getResourceAsStream("shared.yml")) {
      return OpenApiUtils.getYamlMapper31().readValue(in, OpenAPI.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("rawtypes")
  private static void merge(OpenAPI shared, OpenAPI document) {
    document.setInfo(shared.getInfo());
    document.setTags(shared.getTags());
    shared.getPaths().forEach(document::path);
    Map<String, Schema> schemas = document.getComponents().getSchemas();
    document.setComponents(shared.getComponents());
    schemas.forEach(document::schema);
  }
}
