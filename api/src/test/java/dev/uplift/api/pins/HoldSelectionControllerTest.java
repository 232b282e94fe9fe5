package dev.uplift.api.pins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedServerExtension.class)
final class HoldSelectionControllerTest {
  @Test
  void allSelectedDevicesAreHeldAndReleased(TestTenant testTenant) {
    devices(testTenant);

    assertThat(hold(testTenant, "device != 'c'", "").expectStatus(200).json().path("devices").asInt()).isEqualTo(2);

    assertThat(held(testTenant)).containsExactly("a", "b");
    TestResponse device = testTenant.viewer().get(testTenant.path("devices/a"));
    assertThat(device.json().path("hold").path("reason").asString()).isEqualTo("trade fair");
    assertThat(device.json().path("hold").path("actor").asString()).isEqualTo("operator");
    assertThat(device.json().path("version").asInt()).isEqualTo(2);
    assertThat(end(testTenant, "device == 'a' || device == 'c'").path("devices").asInt()).isEqualTo(1);
    assertThat(held(testTenant)).containsExactly("b");
    TestResponse audit =
        testTenant.viewer().get(testTenant.path("audit?target=tenant/" + testTenant.name())).expectStatus(200);
    assertThat(audit.texts("items", "action")).startsWith("devices.end-hold", "devices.hold");
    assertThat(audit.text()).contains("trade fair");
  }

  @Test
  void allDevicesOfATenantHaveToBeConfirmed(TestTenant testTenant) {
    devices(testTenant);

    assertThat(hold(testTenant, "true", "").expectStatus(422).errors())
        .containsExactly("/everything: the selection takes all 3 devices; expected true to confirm that");
    assertThat(held(testTenant)).isEmpty();
    assertThat(hold(testTenant, "true", ",\"everything\":true").expectStatus(200).json().path("devices").asInt())
        .isEqualTo(3);
    assertThat(held(testTenant)).containsExactly("a", "b", "c");
  }

  @Test
  void anExpressionWithAMistakeIsRefused(TestTenant testTenant) {
    assertThat(hold(testTenant, "device = 'a'", "").expectStatus(400).errors().getFirst())
        .startsWith("/selection: line 1, column ");
    assertThat(hold(testTenant, "device == 'a'", ",\"until\":\"2020-01-01T00:00:00Z\"").expectStatus(400).errors())
        .containsExactly("/until: expected a time in the future; it is past");
  }

  private static void devices(TestTenant testTenant) {
    Stream.of("a", "b", "c").forEach(name -> testTenant.putDevice(name, name));
  }

  private static TestResponse hold(TestTenant testTenant, String selection, String more) {
    String body = "{\"selection\":\"%s\",\"reason\":\"trade fair\"%s}".formatted(selection, more);
    return testTenant.operator().send("POST", testTenant.path("holds"), body);
  }

  private static JsonNode end(TestTenant testTenant, String selection) {
    String body = "{\"selection\":\"%s\"}".formatted(selection);
    return testTenant.operator().send("POST", testTenant.path("holds/end"), body).expectStatus(200).json();
  }

  private static Stream<String> held(TestTenant testTenant) {
    return testTenant
        .viewer()
        .get(testTenant.path("devices"))
        .json()
        .path("items")
        .valueStream()
        .filter(device -> device.has("hold"))
        .map(device -> device.path("device").asString());
  }
}
