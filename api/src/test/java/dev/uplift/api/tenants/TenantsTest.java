package dev.uplift.api.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.Client;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.api.server.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
final class TenantsTest {
  @Test
  void aTenantIsMadeOnceAndKeepsItsTitle(TestServer server) {
    Client admin = server.anyone("admin", "*");

    admin.send("PUT", "/v1/tenants/made-once", "{\"title\":\"Made once\"}").is(201);
    assertThat(
            admin.send("PUT", "/v1/tenants/made-once", "").is(200).json().path("title").asString())
        .isEqualTo("Made once");
    assertThat(
            admin
                .send("PUT", "/v1/tenants/made-once", "{\"title\":\"\"}")
                .is(200)
                .json()
                .path("title")
                .asString())
        .isEmpty();
  }

  @Test
  void aNameThatCannotBeOneIsRefused(TestServer server) {
    assertThat(
            server.anyone("admin", "*").send("PUT", "/v1/tenants/Not.One", "{}").is(400).faults())
        .containsExactly("tenant: 'Not.One' is not ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$");
  }

  @Test
  void everybodySeesTheTenantsThatTheyMayEnter(Tenant tenant, TestServer server) {
    assertThat(tenant.viewer().get("/v1/tenants").is(200).texts("items", "tenant"))
        .containsExactly(tenant.name());
    assertThat(server.anyone("viewer", "*").get("/v1/tenants?limit=1000").texts("items", "tenant"))
        .contains(tenant.name())
        .hasSizeGreaterThan(1);
  }

  @Test
  void inATenantThatDoesNotExistThereIsNothing(TestServer server) {
    Client admin = server.anyone("admin", "*");

    for (String path :
        new String[] {"devices", "hosts", "releases", "upgrades", "audit", "versions?package=os"}) {
      assertThat(admin.get("/v1/tenants/nowhere/" + path).is(404).detail())
          .startsWith("there is no tenant nowhere");
    }
    admin.send("PUT", "/v1/tenants/nowhere/devices/gate", "{\"hosts\":[\"a\"]}").is(404);
  }

  @Test
  void validateMakesNone(TestServer server) {
    Client admin = server.anyone("admin", "*");

    admin.send("PUT", "/v1/tenants/not-made?validate=true", "{}").is(201);
    admin.get("/v1/tenants/not-made").is(404);
    admin.get("/v1/tenants/not-made/devices").is(404);
  }
}
