package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.Answer;
import dev.uplift.api.server.Operation;
import dev.uplift.api.server.Samples;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.api.server.TestServer;
import io.micronaut.http.HttpMethod;
import io.micronaut.web.router.Router;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Every operation there is, asked for by those who may not. A route that is new is one of these by
/// being a route, or fails here.
@ExtendWith(SharedServer.class)
final class ProtectionTest {
  private static final List<Operation> ALL = Operation.all();

  private static final Map<String, String> ONE_TOO_LOW =
      Map.of("operator", "viewer", "admin", "operator");

  @Test
  void everyRouteIsInTheDocumentAndTheOtherWayRound(TestServer server) {
    Set<String> routes =
        server
            .bean(Router.class)
            .uriRoutes()
            .filter(route -> route.getHttpMethod() != HttpMethod.OPTIONS)
            .map(route ->
                route.getHttpMethodName() + " " + route.getUriMatchTemplate().toPathString())
            .collect(Collectors.toSet());
    Set<String> documented = ALL.stream().map(Operation::toString).collect(Collectors.toSet());

    assertThat(routes).containsAll(documented);
    assertThat(routes)
        .as("the framework makes a HEAD of each GET")
        .allMatch(route ->
            documented.contains(route) || documented.contains(route.replace("HEAD ", "GET ")));
  }

  @Test
  void onlyTheseNeedNoToken() {
    assertThat(ALL)
        .filteredOn(operation -> !operation.needsToken())
        .extracting(Operation::toString)
        .containsExactlyInAnyOrder(
            "GET /",
            "GET /artifacts/{sha256}",
            "HEAD /artifacts/{sha256}",
            "GET /health",
            "GET /health/readiness",
            "GET /health/liveness",
            "GET /metrics",
            "POST /v1/join",
            "POST /v1/renew");
    assertThat(ALL)
        .filteredOn(Operation::needsToken)
        .allMatch(operation -> operation.role().isPresent(), "says which role it needs");
  }

  @Test
  void withoutATokenNothingIsAnswered(Tenant tenant) {
    thingsOf(tenant);
    for (Operation operation : withToken()) {
      Answer answer = Samples.of(tenant).send(operation, tenant.server().nobody());
      assertThat(answer.status()).as(operation.toString()).isEqualTo(401);
      assertThat(answer.is(401).header("WWW-Authenticate")).isPresent();
      if (!operation.changes()) {
        String path = Samples.of(tenant).path(operation);
        tenant.server().nobody().sendAsIs("HEAD", path, "").is(401);
      }
    }
  }

  @Test
  void aRoleThatIsTooLowIsRefusedAndTheOneThatIsNeededIsNot(Tenant tenant) {
    thingsOf(tenant);
    for (Operation operation : withToken()) {
      String needed = operation.role().orElseThrow();
      String where = operation.id().equals("putTenant") ? "*" : tenant.name();
      if (ONE_TOO_LOW.containsKey(needed)) {
        var low = tenant.server().anyone(ONE_TOO_LOW.get(needed), where);
        Answer refused = Samples.of(tenant).send(operation, low);
        assertThat(refused.status()).as(operation.toString()).isEqualTo(403);
        assertThat(refused.is(403).detail()).contains("needs the role " + needed);
      }
      String query = operation.changes() ? "?validate=true" : "";
      var enough = tenant.server().anyone(needed, where);
      assertThat(Samples.of(tenant).send(operation, enough, query).status())
          .as(operation.toString())
          .isNotIn(401, 403);
    }
  }

  @Test
  void whatIsAnotherTenantsIsNotThere(Tenant tenant, TestServer server) {
    thingsOf(tenant);
    Tenant other = server.newTenant();
    for (Operation operation : withToken()) {
      if (operation.isOfATenant()) {
        Samples samples = Samples.of(tenant);
        Answer answer = samples.send(operation, other.admin());
        assertThat(answer.status()).as(operation.toString()).isEqualTo(404);
        assertThat(answer.is(404).detail())
            .isEqualTo("there is nothing at " + samples.path(operation).replaceAll("\\?.*", ""));
      }
    }
    assertThat(other.admin().get("/v1/tenants").is(200).texts("items", "tenant"))
        .containsExactly(other.name());
    tenant.viewer().get(tenant.path("devices/gate")).is(200);
  }

  private static void thingsOf(Tenant tenant) {
    tenant.device("gate", "left");
  }

  private static List<Operation> withToken() {
    return ALL.stream().filter(Operation::needsToken).toList();
  }
}
