package dev.uplift.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestTenant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedServerExtension.class)
final class AuditControllerTest {
  @Test
  void changesAreRecordedWithTheirAuthorAndAddress(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    testTenant
        .operator()
        .send("POST", testTenant.path("devices/gate/hold"), "{\"reason\":\"trade fair\"}")
        .expectStatus(200);

    JsonNode newest =
        testTenant.viewer().get(testTenant.path("audit?limit=1")).expectStatus(200).json().path("items").path(0);

    assertThat(newest.path("actor").asString()).isEqualTo("operator");
    assertThat(newest.path("action").asString()).isEqualTo("device.hold");
    assertThat(newest.path("target").asString()).isEqualTo("device/gate");
    assertThat(newest.path("origin").asString()).isEqualTo("127.0.0.1");
    assertThat(newest.path("detail").asString()).isEqualTo("{\"reason\":\"trade fair\"}");
  }

  @Test
  void rejectedChangesAreNotDoneAndNotRecorded(TestTenant testTenant) {
    testTenant.admin().send("PUT", testTenant.path("devices/gate"), "{}").expectStatus(400);
    testTenant.operator().send("PUT", testTenant.path("devices/gate"), "{\"hosts\":[\"a\"]}").expectStatus(403);

    assertThat(testTenant.viewer().get(testTenant.path("audit")).texts("items", "action"))
        .containsExactly("tenant.put");
  }

  @Test
  void theHistoryOfOneResourceCanBeListed(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    testTenant.putDevice("door", "right");
    testTenant.admin().delete(testTenant.path("devices/gate")).expectStatus(204);

    assertThat(testTenant.viewer().get(testTenant.path("audit?target=device/gate")).texts("items", "action"))
        .containsExactly("device.delete", "device.put");
  }
}
