package dev.uplift.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedServer.class)
final class AuditTest {
  @Test
  void whatIsDoneIsKeptWithWhoDidItAndFromWhere(Tenant tenant) {
    tenant.device("gate", "left");
    tenant
        .operator()
        .send("POST", tenant.path("devices/gate/hold"), "{\"reason\":\"trade fair\"}")
        .is(200);

    JsonNode newest =
        tenant.viewer().get(tenant.path("audit?limit=1")).is(200).json().path("items").path(0);

    assertThat(newest.path("who").asString()).isEqualTo("operator");
    assertThat(newest.path("action").asString()).isEqualTo("device.hold");
    assertThat(newest.path("target").asString()).isEqualTo("device/gate");
    assertThat(newest.path("from").asString()).isEqualTo("127.0.0.1");
    assertThat(newest.path("detail").asString()).isEqualTo("{\"reason\":\"trade fair\"}");
  }

  @Test
  void whatIsRefusedIsNotDoneAndNotKept(Tenant tenant) {
    tenant.admin().send("PUT", tenant.path("devices/gate"), "{}").is(400);
    tenant.operator().send("PUT", tenant.path("devices/gate"), "{\"hosts\":[\"a\"]}").is(403);

    assertThat(tenant.viewer().get(tenant.path("audit")).texts("items", "action"))
        .containsExactly("tenant.put");
  }

  @Test
  void oneThingsHistoryCanBeAskedFor(Tenant tenant) {
    tenant.device("gate", "left");
    tenant.device("door", "right");
    tenant.admin().delete(tenant.path("devices/gate")).is(204);

    assertThat(
            tenant.viewer().get(tenant.path("audit?target=device/gate")).texts("items", "action"))
        .containsExactly("device.delete", "device.put");
  }
}
