package dev.uplift.api.pins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServerExtension.class)
final class StopControllerTest {
  @Test
  void aTenantIsStoppedUntilThatEnds(TestTenant testTenant) {
    String path = testTenant.path("stop");
    assertThat(testTenant.viewer().get(path).expectStatus(200).text()).isEqualTo("{\"stopped\":false}");

    TestResponse stopped = testTenant.operator().send("PUT", path, "{\"reason\":\"a bad release\"}").expectStatus(200);

    assertThat(stopped.json().path("stopped").asBoolean()).isTrue();
    assertThat(stopped.json().path("reason").asString()).isEqualTo("a bad release");
    assertThat(stopped.json().path("actor").asString()).isEqualTo("operator");
    assertThat(testTenant.viewer().get(path).text()).isEqualTo(stopped.text());
    testTenant.viewer().delete(path).expectStatus(403);
    assertThat(testTenant.operator().delete(path).expectStatus(200).text()).isEqualTo("{\"stopped\":false}");
    testTenant.operator().delete(path).expectStatus(200);
    assertThat(testTenant.viewer().get(testTenant.path("audit")).texts("items", "action"))
        .containsExactly("tenant.end-stop", "tenant.stop", "tenant.put");
  }
}
