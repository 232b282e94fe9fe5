package dev.uplift.api.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.RecordedInfo;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServerExtension.class)
final class DeviceControllerTest {
  private static final String GATE =
      """
      {"hosts":["left","right"],"labels":{"ring":"1"},"zone":"Europe/Berlin"}\
      """;

  @Test
  void aDeviceIsShownAsItWasPut(TestTenant testTenant) {
    TestResponse put = testTenant.admin().send("PUT", testTenant.path("devices/gate"), GATE).expectStatus(201);
    TestResponse got = testTenant.viewer().get(testTenant.path("devices/gate")).expectStatus(200);

    assertThat(got.text()).isEqualTo(put.text());
    assertThat(got.json().path("hosts").toString()).isEqualTo("[\"left\",\"right\"]");
    assertThat(got.json().path("labels").toString()).isEqualTo("{\"ring\":\"1\"}");
    assertThat(got.json().path("zone").asString()).isEqualTo("Europe/Berlin");
    assertThat(got.json().path("version").asInt()).isEqualTo(1);
    assertThat(Instant.parse(got.json().path("created_at").asString()))
        .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
    assertThat(got.header("ETag")).contains("\"1\"");
  }

  @Test
  void anIdenticalPutChangesNothing(TestTenant testTenant) {
    TestResponse first = testTenant.admin().send("PUT", testTenant.path("devices/gate"), GATE).expectStatus(201);
    TestResponse second = testTenant.admin().send("PUT", testTenant.path("devices/gate"), GATE).expectStatus(200);

    assertThat(second.text()).isEqualTo(first.text());
    assertThat(testTenant.viewer().get(testTenant.path("audit")).texts("items", "action"))
        .containsExactly("device.put", "tenant.put");
  }

  @Test
  void everyFaultIsReportedAtOnceWithItsPointer(TestTenant testTenant) {
    TestResponse testResponse =
        testTenant
            .admin()
            .send(
                "PUT",
                testTenant.path("devices/gate"),
                """
                {"hosts":["left",7,"a.b"],"labels":{"ok":"x","a,b":"y","n":3},"zone":"Berlin",
                 "lables":{},"a/b~c":1}\
                """)
            .expectStatus(400);

    assertThat(testResponse.errors())
        .containsExactlyInAnyOrder(
            "/hosts/1: expected a text, found 7",
            "/hosts/2: host 'a.b' is not ^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$",
            "/labels/n: expected a text, found 3",
            "/zone: expected an IANA time zone such as Europe/Berlin, found \"Berlin\"",
            "/lables: unknown field; expected one of hosts, labels, zone, windows",
            "/a~1b~0c: unknown field; expected one of hosts, labels, zone, windows");
  }

  @Test
  void aDeviceHas1To64DistinctHosts(TestTenant testTenant) {
    assertThat(put(testTenant, "{}").expectStatus(400).errors())
        .containsExactly("/hosts: is missing: hosts is required");
    assertThat(put(testTenant, "{\"hosts\":[]}").expectStatus(400).errors())
        .containsExactly("/hosts: expected 1 to 64 items, found 0");
    assertThat(put(testTenant, "{\"hosts\":[\"a\",\"a\"]}").expectStatus(400).errors())
        .containsExactly("/hosts: expected each host once, found a twice");
    assertThat(put(testTenant, "{\"hosts\":null}").expectStatus(400).errors())
        .containsExactly("/hosts: expected a list, found null");
  }

  @Test
  void aHostIsOnOneDevice(TestTenant testTenant) {
    testTenant.putDevice("gate", "left", "right");

    TestResponse testResponse =
        testTenant.admin().send("PUT", testTenant.path("devices/door"), "{\"hosts\":[\"right\"]}").expectStatus(409);

    assertThat(testResponse.errors()).containsExactly("/hosts: right is on the device gate");
  }

  @Test
  void aPatchChangesOnlyItsFields(TestTenant testTenant) {
    testTenant.admin().send("PUT", testTenant.path("devices/gate"), GATE).expectStatus(201);

    TestResponse patched =
        patch(testTenant, "{\"labels\":{\"ring\":null,\"site\":\"x\"},\"zone\":null}").expectStatus(200);

    assertThat(patched.json().path("labels").toString()).isEqualTo("{\"site\":\"x\"}");
    assertThat(patched.json().path("zone").asString()).isEqualTo("UTC");
    assertThat(patched.json().path("hosts").size()).isEqualTo(2);
    assertThat(patch(testTenant, "{\"labels\":null}").expectStatus(200).json().path("labels").toString())
        .isEqualTo("{}");
    assertThat(patch(testTenant, "{\"hosts\":null}").expectStatus(400).errors())
        .containsExactly("/hosts: expected a list, found null");
    testTenant.admin().send("PATCH", testTenant.path("devices/none"), "{}").expectStatus(404);
  }

  @Test
  void aChangeSupportsIfMatch(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    String path = testTenant.path("devices/gate");

    TestResponse stale = testTenant.admin().withHeader("If-Match", "\"7\"").send("PUT", path, GATE).expectStatus(412);
    assertThat(stale.detail()).contains("at version 1");
    testTenant.admin().withHeader("If-None-Match", "*").send("PUT", path, GATE).expectStatus(412);
    testTenant.admin().withHeader("If-Match", "7").send("PUT", path, GATE).expectStatus(400);
    testTenant.admin().withHeader("If-Match", "\"7\"").delete(path).expectStatus(412);
    testTenant.admin().withHeader("If-Match", "\"1\"").send("PUT", path, GATE).expectStatus(200);
    testTenant.admin().withHeader("If-Match", "*").send("PUT", testTenant.path("devices/none"), GATE).expectStatus(412);
  }

  @Test
  void validateAnswersLikeTheRealRequestAndDoesNothing(TestTenant testTenant) {
    TestResponse checked =
        testTenant.admin().send("PUT", testTenant.path("devices/gate?validate=true"), GATE).expectStatus(201);

    assertThat(checked.json().path("device").asString()).isEqualTo("gate");
    testTenant.viewer().get(testTenant.path("devices/gate")).expectStatus(404);
    testTenant.putDevice("door", "left");
    testTenant.admin().send("PUT", testTenant.path("devices/gate?validate=true"), GATE).expectStatus(409);
    testTenant.admin().delete(testTenant.path("devices/door?validate=true")).expectStatus(204);
    testTenant.viewer().get(testTenant.path("devices/door")).expectStatus(200);
    testTenant
        .operator()
        .send("POST", testTenant.path("devices/door/hold?validate=true"), "{\"reason\":\"x\"}")
        .expectStatus(200);
    assertThat(testTenant.viewer().get(testTenant.path("devices/door")).json().has("hold")).isFalse();
    assertThat(testTenant.viewer().get(testTenant.path("audit")).texts("items", "target"))
        .containsExactly("device/door", "tenant/" + testTenant.name());
    testTenant.admin().delete(testTenant.path("devices/door?validate=perhaps")).expectStatus(400);
  }

  @Test
  void aDeviceIsRemovedUnlessAnUpgradeRuns(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    var upgrade =
        new NewUpgrade("u-1", new DeviceId(testTenant.name(), "gate"), new Release("shopd", "1.0"), "ann", "", "run-1");
    assertThat(testTenant.server().bean(UpgradeRepository.class).createIfAbsent(upgrade).isRunning()).isTrue();

    assertThat(testTenant.admin().delete(testTenant.path("devices/gate")).expectStatus(409).detail())
        .isEqualTo("gate is not removed while its upgrade u-1 runs; await its end or abort it");
    assertThat(put(testTenant, "{\"hosts\":[\"other\"]}").expectStatus(409).detail()).contains("u-1");

    testTenant.putDevice("door", "right");
    testTenant.admin().delete(testTenant.path("devices/door")).expectStatus(204);
    testTenant.viewer().get(testTenant.path("devices/door")).expectStatus(404);
    testTenant.admin().delete(testTenant.path("devices/door")).expectStatus(404);
  }

  @Test
  void aHoldHasAReasonAnAuthorAndAnEnd(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    Instant until = Instant.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);

    TestResponse held =
        hold(testTenant, "{\"reason\":\" trade fair \",\"until\":\"%s\"}".formatted(until)).expectStatus(200);

    assertThat(held.json().path("hold").path("reason").asString()).isEqualTo("trade fair");
    assertThat(held.json().path("hold").path("actor").asString()).isEqualTo("operator");
    assertThat(Instant.parse(held.json().path("hold").path("until").asString())).isEqualTo(until);
    TestResponse free = testTenant.operator().delete(testTenant.path("devices/gate/hold")).expectStatus(200);
    assertThat(free.json().has("hold")).isFalse();
    testTenant.operator().delete(testTenant.path("devices/gate/hold")).expectStatus(200);
  }

  @Test
  void aHoldNeedsAReasonAndATimeInTheFuture(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");

    assertThat(hold(testTenant, "{\"reason\":\"  \"}").expectStatus(400).errors())
        .containsExactly("/reason: expected a text that is not empty");
    assertThat(hold(testTenant, "{\"reason\":\"x\",\"until\":\"2020-01-01T00:00:00Z\"}").errors())
        .containsExactly("/until: expected a time in the future; it is past");
    assertThat(hold(testTenant, "{\"reason\":\"x\",\"until\":\"tomorrow\"}").errors())
        .containsExactly(
            "/until: expected a time with its offset such as 2026-12-24T18:00:00Z, found" + " \"tomorrow\"");
    testTenant.operator().send("POST", testTenant.path("devices/none/hold"), "{\"reason\":\"x\"}").expectStatus(404);
  }

  @Test
  void listsHavePagesAndFilterByLabels(TestTenant testTenant) {
    for (int i = 1; i <= 5; i++) {
      put(testTenant, "d" + i, "{\"hosts\":[\"h%d\"],\"labels\":{\"odd\":\"%d\"}}".formatted(i, i % 2));
    }

    TestResponse first = list(testTenant, "limit=2");
    assertThat(first.texts("items", "device")).containsExactly("d1", "d2");
    String next = first.json().path("next_cursor").asString();
    TestResponse second = list(testTenant, "limit=2&cursor=" + next);
    assertThat(second.texts("items", "device")).containsExactly("d3", "d4");
    assertThat(list(testTenant, "labels=odd=1").texts("items", "device")).containsExactly("d1", "d3", "d5");
    assertThat(list(testTenant, "labels=odd=1,none=x").json().toString()).isEqualTo("{\"items\":[]}");
  }

  @Test
  void listsFilterByInstalledVersions(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    testTenant.putDevice("door", "right");
    var info = new HostInfo("{}", "1", "x86", List.of(), "b", "i", "running", Map.of("shopd", "1.0"), Instant.now());
    assertThat(
            testTenant
                .server()
                .bean(HostRepository.class)
                .recordInfo(testTenant.name(), new HostId("left"), info, List.of(), List.of()))
        .isEqualTo(RecordedInfo.RECORDED);

    assertThat(list(testTenant, "package=shopd&version=1.0").texts("items", "device")).containsExactly("gate");
    assertThat(list(testTenant, "package=shopd&version=unknown").texts("items", "device")).containsExactly("door");
    assertThat(list(testTenant, "package=shopd").expectStatus(400).errors())
        .containsExactly("version: expected package and version together; the version may be unknown");
  }

  @Test
  void aMisspeltFilterIsRejected(TestTenant testTenant) {
    assertThat(list(testTenant, "lables=a=b").expectStatus(400).errors())
        .containsExactly(
            "lables: unknown parameter; expected one of cursor, filter, labels, limit, package," + " version");
    assertThat(list(testTenant, "limit=1&limit=2").expectStatus(400).errors())
        .containsExactly("limit: is there more than once");
    assertThat(list(testTenant, "limit=0").expectStatus(400).errors()).containsExactly("limit: expected 1 to 1000");
    assertThat(list(testTenant, "cursor=x").expectStatus(400).errors())
        .containsExactly("cursor: expected the next_cursor of the page before");
    assertThat(list(testTenant, "labels=a").expectStatus(400).errors())
        .containsExactly("labels: expected name=value, more of them with commas between");
  }

  @Test
  void anInvalidNameIsRejected(TestTenant testTenant) {
    assertThat(testTenant.viewer().get(testTenant.path("devices/a.b")).expectStatus(400).errors())
        .containsExactly("device: device 'a.b' is not ^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$");
  }

  private static TestResponse put(TestTenant testTenant, String json) {
    return put(testTenant, "gate", json);
  }

  private static TestResponse put(TestTenant testTenant, String device, String json) {
    return testTenant.admin().send("PUT", testTenant.path("devices/" + device), json);
  }

  private static TestResponse patch(TestTenant testTenant, String json) {
    return testTenant
        .admin()
        .withHeader("Content-Type", "application/merge-patch+json")
        .sendRaw("PATCH", testTenant.path("devices/gate"), json);
  }

  private static TestResponse hold(TestTenant testTenant, String json) {
    return testTenant.operator().send("POST", testTenant.path("devices/gate/hold"), json);
  }

  private static TestResponse list(TestTenant testTenant, String query) {
    return testTenant.viewer().get(testTenant.path("devices?" + query));
  }
}
