package dev.uplift.api.tenants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

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
  void whetherHoldsOfOwnersMayBeOverriddenStaysUntilItIsChanged(TestServer server) {
    TestClient admin = server.clientWithRole("admin", "*");
    String path = "/v1/tenants/overriding";

    TestResponse made = admin.send("PUT", path, "{\"title\":\"T\"}").expectStatus(201);
    assertThat(made.json().path("allow_hold_override").asBoolean()).isFalse();
    TestResponse allowed = admin.send("PUT", path, "{\"allow_hold_override\":true}").expectStatus(200);
    assertThat(allowed.json().path("title").asString()).isEqualTo("T");
    assertThat(allowed.header("ETag")).isNotEqualTo(made.header("ETag"));
    assertThat(admin.send("PUT", path, "{\"title\":\"U\"}").json().path("allow_hold_override").asBoolean()).isTrue();
    admin.send("PUT", path, "{\"allow_hold_override\":false}").expectStatus(200);
    assertThat(admin.get(path).expectStatus(200).json().path("allow_hold_override").asBoolean()).isFalse();
    assertThat(admin.get(path + "/audit?target=tenant/overriding").text())
        .contains("what owners of hosts hold can be overridden", "what owners of hosts hold cannot be overridden");
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

  @Test
  void aDeletedTenantIsNotFoundAndOnlyItsAuditStays(TestTenant tenant, TestServer server) {
    tenant.putDevice("gate", "gate-1");
    TestClient admin = server.clientWithRole("admin", "*");

    JsonNode deleted = admin.send("DELETE", deletion(tenant), "").expectStatus(200).json();

    assertThat(deleted.path("devices").asInt()).isEqualTo(1);
    assertThat(deleted.path("hosts").asInt()).isEqualTo(1);
    for (TestClient client : List.of(admin, tenant.admin())) {
      assertThat(client.get(tenant.path("devices")).expectStatus(404).detail())
          .isEqualTo(
              "the tenant %s is deleted; its name is not used again, and only its audit is left"
                  .formatted(tenant.name()));
    }
    tenant.admin().send("PUT", tenant.path("devices/gate"), "{\"hosts\":[\"a\"]}").expectStatus(404);
    tenant.admin().get(tenant.path("audit")).expectStatus(404);
    assertThat(tenant.admin().get("/v1/tenants").expectStatus(200).texts("items", "tenant")).isEmpty();
    assertThat(admin.get(tenant.path("audit")).expectStatus(200).texts("items", "action"))
        .contains("tenant.delete", "device.put");
    admin.send("PUT", "/v1/tenants/" + tenant.name(), "{}").expectStatus(404);
    admin.send("DELETE", deletion(tenant), "").expectStatus(404);
    assertThat(admin.get("/v1/tenants?limit=1000").texts("items", "tenant")).doesNotContain(tenant.name());
    assertThat(admin.get("/v1/tenants?limit=1000&deleted=true").texts("items", "tenant")).contains(tenant.name());
    assertThat(admin.get("/v1/tenants/" + tenant.name()).expectStatus(200).json().has("deleted_at")).isTrue();
  }

  @Test
  void aDeletionNamesTheTenantTwiceAndNeedsAnAdminOfAll(TestTenant tenant, TestServer server) {
    String path = "/v1/tenants/" + tenant.name();
    TestClient admin = server.clientWithRole("admin", "*");

    tenant.admin().send("DELETE", deletion(tenant), "").expectStatus(403);
    // As of a device whose name is empty.
    for (String without : List.of(path, path + "/", path + "?confirm=other")) {
      assertThat(admin.send("DELETE", without, "").expectStatus(400).errors())
          .containsExactly("confirm: expected %s, the name of the tenant".formatted(tenant.name()));
    }
    admin.withHeader("If-Match", "\"1\"").send("DELETE", deletion(tenant), "").expectStatus(412);
    admin.send("DELETE", deletion(tenant) + "&validate=true", "").expectStatus(200);
    admin.get(path).expectStatus(200);
    admin.send("DELETE", "/v1/tenants/nowhere?confirm=nowhere", "").expectStatus(404);
  }

  @Test
  void aTenantWithAnOpenRolloutOrARunningUpgradeIsNotDeleted(TestTenant tenant, TestServer server) {
    TestClient admin = server.clientWithRole("admin", "*");
    DeviceId device = new DeviceId(tenant.name(), "gate");
    server
        .bean(UpgradeRepository.class)
        .createIfAbsent(new NewUpgrade("u-1", device, new Release("os", "2"), "ann", "{}", "run"));

    assertThat(admin.send("DELETE", deletion(tenant), "").expectStatus(409).detail())
        .isEqualTo(tenant.name() + " is not deleted while its upgrade u-1 runs; await its end or abort it");

    server
        .bean(UpgradeRepository.class)
        .recordEnd(tenant.name(), "u-1", new UpgradeEnd(Outcome.ABORTED, Optional.empty(), "[]"));
    admin.send("DELETE", deletion(tenant), "").expectStatus(200);
  }

  /// One server deletes it, the other one has asked the tables for it before.
  @Test
  void everyServerRefusesADeletedTenant() {
    ServerHome home = new ServerHome();
    try (TestServer first = TestServer.of(home, home.environment());
        TestServer second = TestServer.of(new ServerHome(), home.environment())) {
      TestTenant tenant = first.newTenant();
      TestClient there = second.clientWithRole("admin", tenant.name());
      there.get(tenant.path("devices")).expectStatus(200);

      first.clientWithRole("admin", "*").send("DELETE", deletion(tenant), "").expectStatus(200);

      await().until(() -> there.get(tenant.path("devices")).status() == 404);
    }
  }

  private static String deletion(TestTenant tenant) {
    return "/v1/tenants/%s?confirm=%s".formatted(tenant.name(), tenant.name());
  }
}
