package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.ApiOperation;
import dev.uplift.api.testing.SampleRequests;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import io.micronaut.http.HttpMethod;
import io.micronaut.web.router.Router;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Requests every operation without permission. New routes are included automatically.
@ExtendWith(SharedServerExtension.class)
final class RouteAuthorizationTest {
  private static final List<ApiOperation> ALL = ApiOperation.all();

  private static final Map<String, String> ONE_TOO_LOW = Map.of("operator", "viewer", "admin", "operator");

  @Test
  void everyRouteIsDocumentedAndEveryDocumentedRouteExists(TestServer server) {
    Set<String> routes =
        server
            .bean(Router.class)
            .uriRoutes()
            .filter(route -> route.getHttpMethod() != HttpMethod.OPTIONS)
            .map(route -> route.getHttpMethodName() + " " + route.getUriMatchTemplate().toPathString())
            .collect(Collectors.toSet());
    Set<String> documented = ALL.stream().map(ApiOperation::toString).collect(Collectors.toSet());

    assertThat(routes).containsAll(documented);
    assertThat(routes)
        .as("the framework adds a HEAD route to each GET")
        .allMatch(route -> documented.contains(route) || documented.contains(route.replace("HEAD ", "GET ")));
  }

  @Test
  void onlyTheseRoutesNeedNoToken() {
    assertThat(ALL)
        .filteredOn(apiOperation -> !apiOperation.needsToken())
        .extracting(ApiOperation::toString)
        .containsExactlyInAnyOrder(
            "GET /",
            "GET /artifacts/{sha256}",
            "HEAD /artifacts/{sha256}",
            "GET /health",
            "GET /health/{selector}",
            "GET /prometheus",
            "POST /v1/join",
            "POST /v1/renew");
    assertThat(ALL)
        .filteredOn(ApiOperation::needsToken)
        .allMatch(apiOperation -> apiOperation.role().isPresent(), "documents the role that it needs");
  }

  @Test
  void withoutATokenEveryOtherRouteAnswers401(TestTenant testTenant) {
    createResources(testTenant);
    for (ApiOperation apiOperation : withToken()) {
      TestResponse testResponse =
          SampleRequests.of(testTenant).send(apiOperation, testTenant.server().anonymousClient());
      assertThat(testResponse.status()).as(apiOperation.toString()).isEqualTo(401);
      assertThat(testResponse.expectStatus(401).header("WWW-Authenticate")).isPresent();
      if (!apiOperation.isWrite()) {
        String path = SampleRequests.of(testTenant).path(apiOperation);
        testTenant.server().anonymousClient().sendRaw("HEAD", path, "").expectStatus(401);
      }
    }
  }

  @Test
  void tooLowARoleIsRejectedAndTheRequiredOneIsNot(TestTenant testTenant) {
    createResources(testTenant);
    for (ApiOperation apiOperation : withToken()) {
      String needed = apiOperation.role().orElseThrow();
      String where =
          Set.of("putTenant", "deleteTenant", "diagnose").contains(apiOperation.id()) ? "*" : testTenant.name();
      if (ONE_TOO_LOW.containsKey(needed)) {
        var low = testTenant.server().clientWithRole(ONE_TOO_LOW.get(needed), where);
        TestResponse rejected = SampleRequests.of(testTenant).send(apiOperation, low);
        assertThat(rejected.status()).as(apiOperation.toString()).isEqualTo(403);
        assertThat(rejected.expectStatus(403).detail()).contains("needs the role " + needed);
      }
      String query = apiOperation.isWrite() ? "?validate=true" : "";
      var enough = testTenant.server().clientWithRole(needed, where);
      assertThat(statusOf(apiOperation, SampleRequests.of(testTenant), enough, query))
          .as(apiOperation.toString())
          .isNotIn(401, 403);
    }
  }

  private static int statusOf(
      ApiOperation apiOperation, SampleRequests sampleRequests, TestClient testClient, String query) {
    // The body of this one has no end.
    return apiOperation.id().equals("streamTenantEvents")
        ? testClient.sendRaw("HEAD", sampleRequests.path(apiOperation), "").status()
        : sampleRequests.send(apiOperation, testClient, query).status();
  }

  @Test
  void resourcesOfAnotherTenantAreNotFound(TestTenant testTenant, TestServer server) {
    createResources(testTenant);
    TestTenant other = server.newTenant();
    for (ApiOperation apiOperation : withToken()) {
      if (apiOperation.isTenantScoped()) {
        SampleRequests sampleRequests = SampleRequests.of(testTenant);
        TestResponse testResponse = sampleRequests.send(apiOperation, other.admin());
        assertThat(testResponse.status()).as(apiOperation.toString()).isEqualTo(404);
        assertThat(testResponse.expectStatus(404).detail())
            .isEqualTo("there is nothing at " + sampleRequests.path(apiOperation).replaceAll("\\?.*", ""));
      }
    }
    assertThat(other.admin().get("/v1/tenants").expectStatus(200).texts("items", "tenant"))
        .containsExactly(other.name());
    testTenant.viewer().get(testTenant.path("devices/gate")).expectStatus(200);
  }

  private static void createResources(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
  }

  private static List<ApiOperation> withToken() {
    return ALL.stream().filter(ApiOperation::needsToken).toList();
  }
}
