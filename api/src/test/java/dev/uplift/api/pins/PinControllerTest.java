package dev.uplift.api.pins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.HostId;
import dev.uplift.store.pin.HostHold;
import dev.uplift.store.pin.HostHoldRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServerExtension.class)
final class PinControllerTest {
  private static final String TO_1 = "{\"version\":\"1.0\",\"reason\":\"certified\"}";
  private static final String HOLD = "{\"hold\":true,\"reason\":\"audit\",\"until\":\"2100-01-01T00:00:00Z\"}";

  @Test
  void aPinIsShownAtTheDeviceUntilItIsRemoved(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    String path = testTenant.path("devices/gate/pins/shopd");

    TestResponse set = testTenant.operator().send("PUT", path, TO_1).expectStatus(201);
    assertThat(set.header("ETag")).contains("\"1\"");
    assertThat(testTenant.viewer().get(path).expectStatus(200).text()).isEqualTo(set.text());
    assertThat(testTenant.operator().send("PUT", path, TO_1).expectStatus(200).text()).isEqualTo(set.text());
    TestResponse held = testTenant.operator().send("PUT", path, HOLD).expectStatus(200);

    assertThat(held.json().path("hold").asBoolean()).isTrue();
    assertThat(held.json().has("version")).isFalse();
    assertThat(held.json().path("actor").asString()).isEqualTo("operator");
    assertThat(held.json().path("origin").asString()).isEqualTo("operator");
    assertThat(held.json().path("revision").asInt()).isEqualTo(2);
    TestResponse device = testTenant.viewer().get(testTenant.path("devices/gate")).expectStatus(200);
    assertThat(device.texts("pins", "package")).containsExactly("shopd");
    assertThat(device.texts("pins", "reason")).containsExactly("audit");
    assertThat(device.json().path("version").asInt()).as("each change of a pin is one of the device").isEqualTo(3);
    assertThat(testTenant.viewer().get(testTenant.path("devices")).json().path("items").path(0).path("pins").size())
        .isEqualTo(1);

    testTenant.operator().delete(path).expectStatus(204);
    testTenant.operator().delete(path).expectStatus(404);
    assertThat(testTenant.viewer().get(testTenant.path("devices/gate/pins")).json().path("items").size()).isZero();
    assertThat(testTenant.viewer().get(testTenant.path("audit?target=pin/gate/shopd")).texts("items", "action"))
        .containsExactly("pin.remove", "pin.set", "pin.set");
  }

  @Test
  void whatAnOwnerHoldsIsShownAsTheirs(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    var hold = new HostHold("shopd", "stocktaking", "root", Instant.parse("2026-11-01T00:00:00Z"), Optional.empty());
    testTenant.server().bean(HostHoldRepository.class).record(testTenant.name(), new HostId("left"), List.of(hold));

    TestResponse pins = testTenant.viewer().get(testTenant.path("devices/gate/pins")).expectStatus(200);

    assertThat(pins.texts("items", "origin")).containsExactly("host");
    assertThat(pins.texts("items", "host")).containsExactly("left");
    assertThat(pins.texts("items", "actor")).containsExactly("root");
    testTenant.operator().delete(testTenant.path("devices/gate/pins/shopd")).expectStatus(404);
    testTenant.viewer().get(testTenant.path("devices/gate/pins/shopd")).expectStatus(404);
  }

  @Test
  void aPinThatIsOverIsNotShownAtTheDevice(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    var over = Optional.of(Instant.parse("2026-11-02T00:00:00Z"));
    var hold = new HostHold("shopd", "stocktaking", "root", Instant.parse("2026-11-01T00:00:00Z"), over);
    testTenant.server().bean(HostHoldRepository.class).record(testTenant.name(), new HostId("left"), List.of(hold));

    assertThat(testTenant.viewer().get(testTenant.path("devices/gate")).json().path("pins").size()).isZero();
    assertThat(testTenant.viewer().get(testTenant.path("devices/gate/pins")).json().path("items").size()).isZero();
  }

  @Test
  void everyFaultIsReported(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    String path = testTenant.path("devices/gate/pins/shopd");

    assertThat(testTenant.operator().send("PUT", path, "{\"reason\":\"x\"}").expectStatus(400).errors())
        .containsExactly(": expected either version or hold");
    assertThat(
            testTenant
                .operator()
                .send("PUT", path, "{\"version\":\"1\",\"hold\":true,\"until\":\"2020-01-01T00:00:00Z\"}")
                .expectStatus(400)
                .errors())
        .contains("/reason: is missing: reason is required");
    testTenant.operator().send("PUT", testTenant.path("devices/none/pins/shopd"), TO_1).expectStatus(404);
    testTenant.operator().send("PUT", testTenant.path("devices/gate/pins/Shop"), TO_1).expectStatus(400);
    testTenant.viewer().get(testTenant.path("devices/none/pins")).expectStatus(404);
    testTenant.viewer().send("PUT", path, TO_1).expectStatus(403);
  }

  @Test
  void aChangeSupportsIfMatch(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    String path = testTenant.path("devices/gate/pins/shopd");
    testTenant.operator().send("PUT", path, TO_1).expectStatus(201);

    testTenant.operator().withHeader("If-None-Match", "*").send("PUT", path, HOLD).expectStatus(412);
    testTenant.operator().withHeader("If-Match", "\"7\"").send("PUT", path, HOLD).expectStatus(412);
    testTenant.operator().withHeader("If-Match", "\"7\"").delete(path).expectStatus(412);
    testTenant.operator().withHeader("If-Match", "\"1\"").send("PUT", path, HOLD).expectStatus(200);
    testTenant.viewer().withHeader("If-None-Match", "\"2\"").get(path).expectStatus(304);
  }
}
