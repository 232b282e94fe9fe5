package dev.uplift.api.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServerExtension.class)
final class TenantControllerTest {
  @Test
  void aTenantIsCreatedOnceAndKeepsItsTitle(TestServer server) {
    TestClient admin = server.clientWithRole("admin", "*");

    admin.send("PUT", "/v1/tenants/made-once", "{\"title\":\"Made once\"}").expectStatus(201);
    assertThat(admin.send("PUT", "/v1/tenants/made-once", "").expectStatus(200).json().path("title").asString())
        .isEqualTo("Made once");
    assertThat(
            admin
                .send("PUT", "/v1/tenants/made-once", "{\"title\":\"\"}")
                .expectStatus(200)
                .json()
                .path("title")
                .asString())
        .isEmpty();
  }

  @Test
  void anInvalidNameIsRejected(TestServer server) {
    assertThat(server.clientWithRole("admin", "*").send("PUT", "/v1/tenants/Not.One", "{}").expectStatus(400).errors())
        .containsExactly("tenant: tenant 'Not.One' is not ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$");
  }

  @Test
  void callersSeeTheTenantsThatTheyMayAccess(TestTenant testTenant, TestServer server) {
    assertThat(testTenant.viewer().get("/v1/tenants").expectStatus(200).texts("items", "tenant"))
        .containsExactly(testTenant.name());
    String other = server.newTenant().name();
    assertThat(server.clientWithRole("viewer", "*").get("/v1/tenants?limit=1000").texts("items", "tenant"))
        .contains(testTenant.name(), other);
  }

  @Test
  void aMissingTenantIsNotFound(TestServer server) {
    TestClient admin = server.clientWithRole("admin", "*");

    for (String path : new String[] {"devices", "hosts", "releases", "upgrades", "audit", "versions?package=os"}) {
      assertThat(admin.get("/v1/tenants/nowhere/" + path).expectStatus(404).detail())
          .startsWith("there is no tenant nowhere");
    }
    admin.send("PUT", "/v1/tenants/nowhere/devices/gate", "{\"hosts\":[\"a\"]}").expectStatus(404);
  }

  @Test
  void validateCreatesNone(TestServer server) {
    TestClient admin = server.clientWithRole("admin", "*");

    admin.send("PUT", "/v1/tenants/not-made?validate=true", "{}").expectStatus(201);
    admin.get("/v1/tenants/not-made").expectStatus(404);
    admin.get("/v1/tenants/not-made/devices").expectStatus(404);
  }
}
