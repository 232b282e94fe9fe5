package dev.uplift.api.barriers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.HostId;
import dev.uplift.store.device.HeartbeatRow;
import dev.uplift.store.device.HostRepository;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServerExtension.class)
final class BarrierControllerTest {
  @Test
  void aBarrierHoldsItsDevices(TestTenant testTenant) {
    devices(testTenant);

    TestResponse started = start(testTenant, "schema-7", "device != 'c'", "").expectStatus(201);

    assertThat(started.json().path("state").asString()).isEqualTo("halting");
    assertThat(started.json().path("counts").path("hosts").asInt()).isEqualTo(2);
    assertThat(started.json().path("barrier").path("when_not_halted").asString()).isEqualTo("abort");
    assertThat(start(testTenant, "schema-7", "device != 'c'", "").expectStatus(200).json().path("name").asString())
        .isEqualTo("schema-7");
    assertThat(start(testTenant, "schema-7", "device == 'c'", "").expectStatus(409).text())
        .contains("the Idempotency-Key schema-7 is that of another barrier");
    assertThat(start(testTenant, "schema-8", "device != 'a'", "").expectStatus(409).text())
        .contains("in another open barrier on 1 devices: b (schema-7)");
    assertThat(testTenant.viewer().get(testTenant.path("devices/a/pins")).expectStatus(200).text())
        .contains("\"origin\":\"barrier\"", "barrier schema-7");
    assertThat(act(testTenant, "continue").expectStatus(409).text()).contains("the barrier is halting, not halted");

    act(testTenant, "abort?validate=true").expectStatus(200);
    act(testTenant, "continue?validate=true").expectStatus(409);
    assertThat(barrier(testTenant).json().has("aborted_by")).isFalse();
    // Temporal is unavailable.
    act(testTenant, "abort").expectStatus(503);

    assertThat(
            testTenant.viewer().get(testTenant.path("barriers?state=halting")).expectStatus(200).texts("items", "name"))
        .containsExactly("schema-7");
    assertThat(
            testTenant
                .viewer()
                .get(testTenant.path("barriers/schema-7/hosts?state=pending"))
                .expectStatus(200)
                .texts("items", "host"))
        .containsExactly("a", "b");
    assertThat(testTenant.viewer().get(testTenant.path("audit?target=barrier/schema-7")).texts("items", "action"))
        .containsExactly("barrier.start");
  }

  @Test
  void aPreviewSaysHowManyWouldHaltAndStartsNothing(TestTenant testTenant) {
    devices(testTenant);

    TestResponse preview =
        send(testTenant, "barriers?validate=true", "schema-7", body("device != 'c'", "")).expectStatus(200);

    assertThat(preview.json().path("devices").asInt()).isEqualTo(2);
    assertThat(preview.json().path("sample").path(0).asString()).isEqualTo("a");
    barrier(testTenant).expectStatus(404);
  }

  @Test
  void hostsWithoutThePackageTakeNoPart(TestTenant testTenant) {
    devices(testTenant);
    testTenant.putDevice("site", "left", "right", "other");
    report(testTenant, "left", "till");
    report(testTenant, "other", "camera");

    start(testTenant, "schema-7", "device == 'site'", "").expectStatus(201);

    assertThat(
            testTenant
                .viewer()
                .get(testTenant.path("barriers/schema-7/hosts"))
                .expectStatus(200)
                .texts("items", "host"))
        .containsExactly("left", "right");
  }

  @Test
  void allDevicesHaveToBeConfirmedAndWhatDoesNotExistIsRefused(TestTenant testTenant) {
    devices(testTenant);

    assertThat(start(testTenant, "schema-7", "true", "").expectStatus(422).errors())
        .containsExactly("/everything: the selection takes all 3 devices; expected true to confirm that");
    assertThat(start(testTenant, "schema-7", "device == 'x'", "").expectStatus(422).errors())
        .containsExactly("/selection: selects no device with a host");
    assertThat(
            start(
                    testTenant,
                    "schema-7",
                    "device == 'a'",
                    ",\"version\":\"2.0\",\"migration\":{\"device\":\"a\",\"version\":\"2.0\"}")
                .expectStatus(422)
                .errors())
        .containsExactly(
            "/version: till 2.0 does not exist",
            "/migration/version: till 2.0 does not exist",
            "/migration/device: a is selected to halt, so it cannot be upgraded meanwhile");
  }

  @Test
  void whatContradictsItselfIsRefused(TestTenant testTenant) {
    assertThat(start(testTenant, "schema-7", "true", ",\"max_halt_seconds\":600").expectStatus(400).errors())
        .containsExactly("/max_halt_seconds: expected more than deadline_seconds, 600");
    assertThat(start(testTenant, "schema-7", "true", ",\"migration\":{}").expectStatus(400).errors())
        .containsExactly("/migration: expected approval, which is true, or device, and one of them only");
    assertThat(start(testTenant, "schema-7", "true", ",\"migration\":{\"device\":\"a\"}").expectStatus(400).errors())
        .containsExactly("/migration/version: expected the version that the device is upgraded to");
    assertThat(start(testTenant, "Schema 7", "true", "").expectStatus(400).errors().getFirst())
        .contains("Idempotency-Key");
  }

  private static void devices(TestTenant testTenant) {
    Stream.of("a", "b", "c").forEach(name -> testTenant.putDevice(name, name));
  }

  private static void report(TestTenant testTenant, String host, String packageName) {
    var heartbeat =
        new HeartbeatRow(
            testTenant.name(),
            new HostId(host),
            "i-1",
            "boot-1",
            "running",
            Map.of(packageName, "1.0"),
            Instant.parse("2026-03-29T01:30:00Z"));
    testTenant.server().bean(HostRepository.class).recordHeartbeats(List.of(heartbeat));
  }

  private static TestResponse start(TestTenant testTenant, String name, String selection, String more) {
    return send(testTenant, "barriers", name, body(selection, more));
  }

  private static String body(String selection, String more) {
    return "{\"package\":\"till\",\"selection\":\"%s\"%s}".formatted(selection, more);
  }

  private static TestResponse act(TestTenant testTenant, String action) {
    return testTenant.operator().send("POST", testTenant.path("barriers/schema-7/" + action), "{\"reason\":\"x\"}");
  }

  private static TestResponse barrier(TestTenant testTenant) {
    return testTenant.viewer().get(testTenant.path("barriers/schema-7"));
  }

  private static TestResponse send(TestTenant testTenant, String path, String name, String body) {
    return testTenant.operator().withHeader("Idempotency-Key", name).send("POST", testTenant.path(path), body);
  }
}
