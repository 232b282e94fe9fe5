package dev.uplift.api.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.Answer;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.store.HostInfo;
import dev.uplift.store.Hosts;
import dev.uplift.store.NewUpgrade;
import dev.uplift.store.Upgrades;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
final class DevicesTest {
  private static final String GATE =
      """
      {"hosts":["left","right"],"labels":{"ring":"1"},"zone":"Europe/Berlin"}\
      """;

  @Test
  void aDeviceIsAsItWasPut(Tenant tenant) {
    Answer put = tenant.admin().send("PUT", tenant.path("devices/gate"), GATE).is(201);
    Answer got = tenant.viewer().get(tenant.path("devices/gate")).is(200);

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
  void theSameAgainChangesNothing(Tenant tenant) {
    Answer first = tenant.admin().send("PUT", tenant.path("devices/gate"), GATE).is(201);
    Answer second = tenant.admin().send("PUT", tenant.path("devices/gate"), GATE).is(200);

    assertThat(second.text()).isEqualTo(first.text());
    assertThat(tenant.viewer().get(tenant.path("audit")).texts("items", "action"))
        .containsExactly("device.put", "tenant.put");
  }

  @Test
  void everyFaultIsToldAtOnceWithItsPlace(Tenant tenant) {
    Answer answer =
        tenant
            .admin()
            .send(
                "PUT",
                tenant.path("devices/gate"),
                """
                {"hosts":["left",7,"a.b"],"labels":{"ok":"x","a,b":"y","n":3},"zone":"Berlin",
                 "lables":{},"a/b~c":1}\
                """)
            .is(400);

    assertThat(answer.faults())
        .containsExactlyInAnyOrder(
            "/hosts/1: expected a text, found 7",
            "/hosts/2: host 'a.b' is not ^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$",
            "/labels/n: expected a text, found 3",
            "/zone: expected an IANA time zone such as Europe/Berlin, found \"Berlin\"",
            "/lables: unknown field; there may be hosts, labels, zone, windows",
            "/a~1b~0c: unknown field; there may be hosts, labels, zone, windows");
  }

  @Test
  void aDeviceHasOneTo64HostsEachOnce(Tenant tenant) {
    assertThat(put(tenant, "{}").is(400).faults())
        .containsExactly("/hosts: is missing: hosts is required");
    assertThat(put(tenant, "{\"hosts\":[]}").is(400).faults())
        .containsExactly("/hosts: expected 1 to 64 items, found 0");
    assertThat(put(tenant, "{\"hosts\":[\"a\",\"a\"]}").is(400).faults())
        .containsExactly("/hosts: expected each host once, found a twice");
    assertThat(put(tenant, "{\"hosts\":null}").is(400).faults())
        .containsExactly("/hosts: expected a list, found null");
  }

  @Test
  void aHostIsOnOneDevice(Tenant tenant) {
    tenant.device("gate", "left", "right");

    Answer answer =
        tenant.admin().send("PUT", tenant.path("devices/door"), "{\"hosts\":[\"right\"]}").is(409);

    assertThat(answer.faults()).containsExactly("/hosts: right is on the device gate");
  }

  @Test
  void aPatchChangesWhatItNames(Tenant tenant) {
    tenant.admin().send("PUT", tenant.path("devices/gate"), GATE).is(201);

    Answer patched =
        patch(tenant, "{\"labels\":{\"ring\":null,\"site\":\"x\"},\"zone\":null}").is(200);

    assertThat(patched.json().path("labels").toString()).isEqualTo("{\"site\":\"x\"}");
    assertThat(patched.json().path("zone").asString()).isEqualTo("UTC");
    assertThat(patched.json().path("hosts").size()).isEqualTo(2);
    assertThat(patch(tenant, "{\"labels\":null}").is(200).json().path("labels").toString())
        .isEqualTo("{}");
    assertThat(patch(tenant, "{\"hosts\":null}").is(400).faults())
        .containsExactly("/hosts: expected a list, found null");
    tenant.admin().send("PATCH", tenant.path("devices/none"), "{}").is(404);
  }

  @Test
  void aChangeMayRelyOnWhatItSaw(Tenant tenant) {
    tenant.device("gate", "left");
    String path = tenant.path("devices/gate");

    Answer stale = tenant.admin().with("If-Match", "\"7\"").send("PUT", path, GATE).is(412);
    assertThat(stale.detail()).contains("at version 1");
    tenant.admin().with("If-None-Match", "*").send("PUT", path, GATE).is(412);
    tenant.admin().with("If-Match", "7").send("PUT", path, GATE).is(400);
    tenant.admin().with("If-Match", "\"7\"").delete(path).is(412);
    tenant.admin().with("If-Match", "\"1\"").send("PUT", path, GATE).is(200);
    tenant.admin().with("If-Match", "*").send("PUT", tenant.path("devices/none"), GATE).is(412);
  }

  @Test
  void validateAnswersAsItWouldBeAndDoesNothing(Tenant tenant) {
    Answer checked =
        tenant.admin().send("PUT", tenant.path("devices/gate?validate=true"), GATE).is(201);

    assertThat(checked.json().path("device").asString()).isEqualTo("gate");
    tenant.viewer().get(tenant.path("devices/gate")).is(404);
    tenant.device("door", "left");
    tenant.admin().send("PUT", tenant.path("devices/gate?validate=true"), GATE).is(409);
    tenant.admin().delete(tenant.path("devices/door?validate=true")).is(204);
    tenant.viewer().get(tenant.path("devices/door")).is(200);
    tenant
        .operator()
        .send("POST", tenant.path("devices/door/hold?validate=true"), "{\"reason\":\"x\"}")
        .is(200);
    assertThat(tenant.viewer().get(tenant.path("devices/door")).json().has("hold")).isFalse();
    assertThat(tenant.viewer().get(tenant.path("audit")).texts("items", "target"))
        .containsExactly("device/door", "tenant/" + tenant.name());
    tenant.admin().delete(tenant.path("devices/door?validate=perhaps")).is(400);
  }

  @Test
  void aDeviceIsRemovedUnlessItIsInWork(Tenant tenant) {
    tenant.device("gate", "left");
    var upgrade =
        new NewUpgrade(
            "u-1",
            new DeviceId(tenant.name(), "gate"),
            new Release("shopd", "1.0"),
            "somebody",
            "",
            "run-1");
    assertThat(tenant.server().bean(Upgrades.class).begin(upgrade).isRunning()).isTrue();

    assertThat(tenant.admin().delete(tenant.path("devices/gate")).is(409).detail())
        .isEqualTo("gate is not removed while its upgrade u-1 runs; await its end or abort it");
    assertThat(put(tenant, "{\"hosts\":[\"other\"]}").is(409).detail()).contains("u-1");

    tenant.device("door", "right");
    tenant.admin().delete(tenant.path("devices/door")).is(204);
    tenant.viewer().get(tenant.path("devices/door")).is(404);
    tenant.admin().delete(tenant.path("devices/door")).is(404);
  }

  @Test
  void aHoldSaysWhyByWhomAndForHowLong(Tenant tenant) {
    tenant.device("gate", "left");
    Instant until = Instant.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);

    Answer held =
        hold(tenant, "{\"reason\":\" trade fair \",\"until\":\"%s\"}".formatted(until)).is(200);

    assertThat(held.json().path("hold").path("reason").asString()).isEqualTo("trade fair");
    assertThat(held.json().path("hold").path("by").asString()).isEqualTo("operator");
    assertThat(Instant.parse(held.json().path("hold").path("until").asString())).isEqualTo(until);
    Answer free = tenant.operator().delete(tenant.path("devices/gate/hold")).is(200);
    assertThat(free.json().has("hold")).isFalse();
    tenant.operator().delete(tenant.path("devices/gate/hold")).is(200);
  }

  @Test
  void aHoldNeedsAReasonAndATimeToCome(Tenant tenant) {
    tenant.device("gate", "left");

    assertThat(hold(tenant, "{\"reason\":\"  \"}").is(400).faults())
        .containsExactly("/reason: expected a text that is not empty");
    assertThat(hold(tenant, "{\"reason\":\"x\",\"until\":\"2020-01-01T00:00:00Z\"}").faults())
        .containsExactly("/until: expected a time to come; it is past");
    assertThat(hold(tenant, "{\"reason\":\"x\",\"until\":\"tomorrow\"}").faults())
        .containsExactly(
            "/until: expected a time with its offset such as 2026-12-24T18:00:00Z, found"
                + " \"tomorrow\"");
    tenant.operator().send("POST", tenant.path("devices/none/hold"), "{\"reason\":\"x\"}").is(404);
  }

  @Test
  void listsAreInPartsAndByLabels(Tenant tenant) {
    for (int i = 1; i <= 5; i++) {
      put(tenant, "d" + i, "{\"hosts\":[\"h%d\"],\"labels\":{\"odd\":\"%d\"}}".formatted(i, i % 2));
    }

    Answer first = list(tenant, "limit=2");
    assertThat(first.texts("items", "device")).containsExactly("d1", "d2");
    String next = first.json().path("next").asString();
    Answer second = list(tenant, "limit=2&cursor=" + next);
    assertThat(second.texts("items", "device")).containsExactly("d3", "d4");
    assertThat(list(tenant, "labels=odd=1").texts("items", "device"))
        .containsExactly("d1", "d3", "d5");
    assertThat(list(tenant, "labels=odd=1,none=x").json().toString()).isEqualTo("{\"items\":[]}");
  }

  @Test
  void listsAreByWhatHostsRun(Tenant tenant) {
    tenant.device("gate", "left");
    tenant.device("door", "right");
    var info =
        new HostInfo(
            "{}",
            "1",
            "x86",
            List.of(),
            "b",
            "i",
            "running",
            Map.of("shopd", "1.0"),
            Instant.now());
    assertThat(tenant.server().bean(Hosts.class).said(tenant.name(), new HostId("left"), info))
        .isTrue();

    assertThat(list(tenant, "package=shopd&version=1.0").texts("items", "device"))
        .containsExactly("gate");
    assertThat(list(tenant, "package=shopd&version=unknown").texts("items", "device"))
        .containsExactly("door");
    assertThat(list(tenant, "package=shopd").is(400).faults())
        .containsExactly(
            "version: expected package and version together; the version may be unknown");
  }

  @Test
  void aFilterThatIsMisspeltSelectsNothing(Tenant tenant) {
    assertThat(list(tenant, "lables=a=b").is(400).faults())
        .containsExactly(
            "lables: unknown parameter; there may be cursor, filter, labels, limit, package,"
                + " version");
    assertThat(list(tenant, "limit=1&limit=2").is(400).faults())
        .containsExactly("limit: is there more than once");
    assertThat(list(tenant, "limit=0").is(400).faults())
        .containsExactly("limit: expected 1 to 1000");
    assertThat(list(tenant, "cursor=x").is(400).faults())
        .containsExactly("cursor: expected what the page before has as next");
    assertThat(list(tenant, "labels=a").is(400).faults())
        .containsExactly("labels: expected name=value, more of them with commas between");
  }

  @Test
  void aNameThatCannotBeOneIsRefused(Tenant tenant) {
    assertThat(tenant.viewer().get(tenant.path("devices/a.b")).is(400).faults())
        .containsExactly("device: device 'a.b' is not ^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$");
  }

  private static Answer put(Tenant tenant, String json) {
    return put(tenant, "gate", json);
  }

  private static Answer put(Tenant tenant, String device, String json) {
    return tenant.admin().send("PUT", tenant.path("devices/" + device), json);
  }

  private static Answer patch(Tenant tenant, String json) {
    return tenant
        .admin()
        .with("Content-Type", "application/merge-patch+json")
        .sendAsIs("PATCH", tenant.path("devices/gate"), json);
  }

  private static Answer hold(Tenant tenant, String json) {
    return tenant.operator().send("POST", tenant.path("devices/gate/hold"), json);
  }

  private static Answer list(Tenant tenant, String query) {
    return tenant.viewer().get(tenant.path("devices?" + query));
  }
}
