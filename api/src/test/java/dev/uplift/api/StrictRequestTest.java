package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.artifacts.TestArtifacts;
import dev.uplift.api.testing.RawConnection;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.api.testing.TestTokens;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that were accepted, misunderstood, or refused in words that are not ours, when strangers tried them.
@ExtendWith(SharedServerExtension.class)
final class StrictRequestTest {
  private static final byte[] BYTES = TestArtifacts.randomBytes(100, 7);
  private static final String DIGEST = TestArtifacts.sha256(BYTES);

  @Test
  void theNameOfATenantIsNeverAPath(TestTenant testTenant, TestServer server) {
    testTenant.admin().sendRaw("PUT", testTenant.path("artifacts/" + DIGEST), BYTES).expectStatus(201);
    TestClient everywhere = server.clientWithRole("viewer", "*");
    String folder = server.home().path("artifacts").replace("/", "%2F");

    for (String name :
        List.of(
            "..%2Fartifacts%2F" + testTenant.name(),
            folder + "%2F" + testTenant.name(),
            ".",
            "a%00b",
            "a".repeat(300))) {
      for (String below : List.of("artifacts/" + DIGEST, "devices", "audit")) {
        assertThat(everywhere.get("/v1/tenants/" + name + "/" + below).expectStatus(400).errors())
            .as(name)
            .singleElement()
            .asString()
            .startsWith("tenant: tenant '")
            .endsWith("' is not ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$");
      }
    }
  }

  @Test
  void anArtifactOfAnUnknownTenantIsNotLookedFor(TestServer server) {
    assertThat(
            server
                .clientWithRole("viewer", "*")
                .get("/v1/tenants/nowhere/artifacts/" + DIGEST)
                .expectStatus(404)
                .detail())
        .startsWith("there is no tenant nowhere");
  }

  @Test
  void deepNestingIsRefusedInOurWords(TestTenant testTenant) {
    assertThat(
            testTenant
                .admin()
                .send("PUT", testTenant.path("devices/gate"), "[".repeat(501) + "]".repeat(501))
                .expectStatus(400)
                .detail())
        .doesNotContain("StreamReadConstraints", "REDACTED", "Document nesting")
        .contains("nested");
    assertThat(
            testTenant
                .admin()
                .send("PUT", testTenant.path("devices/gate"), "{\"hosts\":" + "1".repeat(5000) + "}")
                .expectStatus(400)
                .detail())
        .doesNotContain("StreamReadConstraints", "REDACTED");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 200})
  void aBodyThatUnpacksToTooMuchIsTooLarge(int mebibytes, TestTenant testTenant) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      byte[] blanks = " ".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < mebibytes; i++) {
        gzip.write(blanks);
      }
    }

    assertThat(
            testTenant
                .admin()
                .withHeader("Content-Type", "application/json")
                .withHeader("Content-Encoding", "gzip")
                .sendRaw("PUT", testTenant.path("devices/gate"), packed.toByteArray())
                .expectStatus(413)
                .detail())
        .isEqualTo("expected a body of at most 1048576 bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"If-Match: \"4\"", "If-None-Match: *", "Idempotency-Key: one", "Authorization: Bearer x"})
  void aHeaderThatDecidesIsNotSentTwice(String header, TestTenant testTenant, TestServer server) throws IOException {
    testTenant.putDevice("gate", "left");
    String name = header.substring(0, header.indexOf(':'));
    String first = name.equals("Authorization") ? "" : header + "\r\n";
    String body = "{\"hosts\":[\"left\"]}";

    try (var connection = new RawConnection(server)) {
      String answer =
          connection
              .send(
                  "PUT %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
                          .formatted(testTenant.path("devices/gate"))
                      + "Authorization: Bearer "
                      + TestTokens.of(testTenant.name(), "admin")
                      + "\r\n"
                      + first
                      + header
                      + "\r\nContent-Length: "
                      + body.length()
                      + "\r\n\r\n"
                      + body)
              .readToEnd();

      assertThat(answer).startsWith("HTTP/1.1 400 ").contains("\"header\":\"" + name + "\"", "expected it once");
    }
  }

  @Test
  void aPreconditionNamesTheHeaderThatWasSent(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    String device = testTenant.path("devices/gate");

    assertThat(
            testTenant
                .admin()
                .withHeader("If-None-Match", "*")
                .send("PUT", device, "{\"hosts\":[\"left\"]}")
                .expectStatus(412)
                .errors())
        .containsExactly("If-None-Match: the device exists already, at version 1");
    assertThat(
            testTenant
                .admin()
                .withHeader("If-Match", "\"7\"")
                .send("PUT", device, "{\"hosts\":[\"left\"]}")
                .expectStatus(412)
                .errors())
        .containsExactly("If-Match: the device is at version 1; read it again");
    assertThat(
            testTenant
                .server()
                .clientWithRole("admin", "*")
                .withHeader("If-None-Match", "*")
                .send("PUT", "/v1/tenants/" + testTenant.name(), "{}")
                .expectStatus(412)
                .errors())
        .singleElement()
        .asString()
        .startsWith("If-None-Match: the tenant exists already");
  }

  @Test
  void tooLongAHeadIsRefusedWithItsLimit(TestTenant testTenant) {
    assertThat(
            testTenant.viewer().get(testTenant.path("devices?filter=" + "x".repeat(20_000))).expectStatus(414).detail())
        .isEqualTo("expected an address of at most 16384 bytes");
    assertThat(
            testTenant
                .viewer()
                .withHeader("X-Long", "x".repeat(20_000))
                .get(testTenant.path("devices"))
                .expectStatus(431)
                .detail())
        .isEqualTo("expected headers of at most 16384 bytes in all");
  }

  @Test
  void aFilterOfTheGreatestLengthFitsTheAddress(TestTenant testTenant) {
    String filter = "device != '" + "%22".repeat(1980) + "'";

    testTenant.viewer().get(testTenant.path("devices?filter=" + filter.replace(" ", "%20"))).expectStatus(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0", "99999999999999999999", "01", "0", "-1", "x"})
  void theVersionOfARootIsAPlainNumber(String version, TestTenant testTenant) {
    assertThat(testTenant.viewer().get(testTenant.path("trust/" + version)).expectStatus(400).errors())
        .containsExactly("root_version: expected the number of a root such as 2, found \"%s\"".formatted(version));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "releases?package=",
        "rollouts?package=",
        "rollouts?version=",
        "upgrades?package=",
        "upgrades?version=a%20b",
        "upgrades?device=",
        "versions?package=X",
        "devices?package=&version="
      })
  void aNameInAQueryFollowsTheRuleOfItsKind(String address, TestTenant testTenant) {
    String parameter = address.substring(address.indexOf('?') + 1, address.indexOf('='));

    assertThat(testTenant.viewer().get(testTenant.path(address)).expectStatus(400).errors())
        .first()
        .asString()
        .startsWith(parameter + ": ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"devices", "hosts", "audit", "upgrades", "releases", "rollouts"})
  void anEmptyCursorIsNoCursor(String list, TestTenant testTenant) {
    assertThat(testTenant.viewer().get(testTenant.path(list + "?cursor=")).expectStatus(400).errors())
        .containsExactly("cursor: expected the next_cursor of the page before");
    assertThat(testTenant.server().clientWithRole("viewer", "*").get("/v1/tenants?cursor=").expectStatus(400).errors())
        .containsExactly("cursor: expected the next_cursor of the page before");
  }

  @Test
  void aZoneThatOnlyJavaKnowsIsRefused(TestTenant testTenant) {
    assertThat(
            testTenant
                .admin()
                .send("PUT", testTenant.path("devices/gate"), "{\"hosts\":[\"left\"],\"zone\":\"SystemV/EST5\"}")
                .expectStatus(400)
                .errors())
        .singleElement()
        .asString()
        .startsWith("/zone: expected an IANA time zone");
  }

  @Test
  void anEnrolmentTokenIsValidForAtLeastASecond(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");

    assertThat(
            testTenant
                .admin()
                .send("POST", testTenant.path("devices/gate/hosts/left/enrolments"), "{\"valid_for_seconds\":0}")
                .expectStatus(400)
                .errors())
        .containsExactly("/valid_for_seconds: expected 1 to 604800, found 0");
    testTenant
        .admin()
        .send(
            "POST",
            testTenant.path("enrolments"),
            "{\"valid_for_seconds\":0,\"hosts\":[{\"device\":\"gate\",\"host\":\"left\"}]}")
        .expectStatus(400);
  }

  @ParameterizedTest
  @CsvSource({"3600.0, 201", "36e2, 201", "3600.5, 400", "1e99999, 400", "1e-99999, 400", "36e50, 400"})
  void aWholeNumberMayBeWrittenInAnyWayThatJsonHas(String number, int status, TestTenant testTenant) {
    testTenant.putDevice("gate", "left");

    testTenant
        .admin()
        .send(
            "POST",
            testTenant.path("devices/gate/hosts/left/enrolments?validate=true"),
            "{\"valid_for_seconds\":" + number + "}")
        .expectStatus(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rollouts/none/pause?validate=7", "upgrades/none/log?host=", "upgrades/none/log?step=none"})
  void aParameterIsCheckedBeforeAnythingIsLookedFor(String address, TestTenant testTenant) {
    String method = address.startsWith("rollouts") ? "POST" : "GET";

    assertThat(testTenant.operator().sendRaw(method, testTenant.path(address), "").expectStatus(400).errors())
        .singleElement()
        .asString()
        .matches("(validate|host|step): .*");
  }

  @Test
  void validatingAnEnrolmentShowsNoToken(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    String path = testTenant.path("devices/gate/hosts/left/enrolments");

    assertThat(testTenant.admin().send("POST", path + "?validate=true", "{}").expectStatus(201).json().has("token"))
        .isFalse();
    assertThat(
            testTenant
                .admin()
                .send(
                    "POST",
                    testTenant.path("enrolments?validate=true"),
                    "{\"hosts\":[{\"device\":\"gate\",\"host\":\"left\"}]}")
                .expectStatus(201)
                .text())
        .doesNotContain("token");
    assertThat(testTenant.admin().send("POST", path, "{}").expectStatus(201).json().path("token").asString())
        .isNotEmpty();
  }

  @Test
  void aDraftIsNotStartedByTheSameKeyWithoutDraft(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    testTenant
        .admin()
        .send("POST", testTenant.path("releases"), testTenant.server().home().release("shopd", "2.0", 2))
        .expectStatus(201);
    String plan =
        """
        {"package":"shopd","version":"2.0","selection":"true","everything":true,"draft":%s}\
        """;
    TestClient operator = testTenant.operator().withHeader("Idempotency-Key", "north");
    operator.send("POST", testTenant.path("rollouts"), plan.formatted("true")).expectStatus(201);
    operator.send("POST", testTenant.path("rollouts"), plan.formatted("true")).expectStatus(200);

    assertThat(operator.send("POST", testTenant.path("rollouts"), plan.formatted("false")).expectStatus(409).detail())
        .contains("north is a draft", "POST .../start");
    operator.send("POST", testTenant.path("rollouts?validate=true"), plan.formatted("false")).expectStatus(409);
  }
}
