package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestTenant;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The characters and lengths of texts in requests.
@ExtendWith(SharedServerExtension.class)
final class RequestTextTest {
  @ParameterizedTest
  @ValueSource(strings = {"\\ud800", "a\\udc00b", "\\u202e", "\\u2066", "\\uffff", "\\ufdd0", "\\u2028", "\\u0085"})
  void aTextHasNoHalfCharactersAndNoneThatChangeTheDirection(String characters, TestTenant testTenant) {
    String device = testTenant.path("devices/gate");
    testTenant.putDevice("gate", "left");

    assertThat(
            testTenant
                .admin()
                .send("PATCH", device, "{\"labels\":{\"a\":\"%s\"}}".formatted(characters))
                .expectStatus(400)
                .errors())
        .singleElement()
        .asString()
        .startsWith("/labels/a: expected a text");
    assertThat(
            testTenant
                .operator()
                .send("POST", device + "/hold", "{\"reason\":\"%s\"}".formatted(characters))
                .expectStatus(400)
                .errors())
        .singleElement()
        .asString()
        .startsWith("/reason: expected a text");
  }

  @Test
  void aTextMayHaveEveryScriptAndEmoji(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");

    testTenant
        .admin()
        .send("PATCH", testTenant.path("devices/gate"), "{\"labels\":{\"a\":\"متجر שלום 店 🛒\"}}")
        .expectStatus(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "label-windows/ring/%ff%fe",
        "label-windows/ring/%ED%A0%80",
        "devices?filter=%ff",
        "audit?target=%c0%af"
      })
  void anAddressThatIsNotUtf8IsRefused(String address, TestTenant testTenant) {
    assertThat(testTenant.viewer().get(testTenant.path(address)).expectStatus(400).detail())
        .contains("expected UTF-8 in the address");
  }

  @Test
  void aBodyThatIsNotUtf8IsRefused(TestTenant testTenant) {
    byte[] overlong = "{\"hosts\":[\"a\"],\"zone\":\"UTC??\"}".getBytes(StandardCharsets.ISO_8859_1);
    overlong[overlong.length - 4] = (byte) 0xc0;
    overlong[overlong.length - 3] = (byte) 0xaf;

    assertThat(
            testTenant
                .admin()
                .withHeader("Content-Type", "application/json")
                .sendRaw("PUT", testTenant.path("devices/gate"), overlong)
                .expectStatus(400)
                .detail())
        .isEqualTo("expected a body in UTF-8; byte 27 is not");
  }

  @Test
  void theLengthOfATextIsThatOfItsCharacters(TestTenant testTenant) {
    String device = testTenant.path("devices/gate");
    String body = "{\"hosts\":[\"left\"],\"labels\":{\"shop\":\"%s\"}}";

    testTenant.admin().send("PUT", device, body.formatted("🛒".repeat(63))).expectStatus(201);
    testTenant.admin().send("PUT", device, body.formatted("🛒".repeat(64))).expectStatus(400);
    testTenant
        .operator()
        .send("POST", device + "/hold", "{\"reason\":\"%s\"}".formatted("🛒".repeat(500)))
        .expectStatus(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "\u00a0", "\u3000 ", "\ufeff"})
  void aReasonThatCannotBeSeenIsNone(String blank, TestTenant testTenant) {
    testTenant.putDevice("gate", "left");

    assertThat(
            testTenant
                .operator()
                .send("POST", testTenant.path("devices/gate/hold"), "{\"reason\":\"%s\"}".formatted(blank))
                .expectStatus(400)
                .errors())
        .containsExactly("/reason: expected a text that is not empty");
  }
}
