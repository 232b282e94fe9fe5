package dev.uplift.api.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.HostId;
import dev.uplift.store.device.HeartbeatRow;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.RecordedInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedServerExtension.class)
final class HostControllerTest {
  private static final Instant SAID = Instant.parse("2026-11-20T10:00:00Z");

  @Test
  void aHostThatNeverReportedIsListed(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");

    JsonNode host = testTenant.viewer().get(testTenant.path("hosts/left")).expectStatus(200).json();

    assertThat(host.path("device").asString()).isEqualTo("gate");
    assertThat(host.path("presence").asString()).isEqualTo("unknown");
    assertThat(host.path("versions").toString()).isEqualTo("{}");
    assertThat(host.has("last_seen_at")).isFalse();
  }

  @Test
  void aHostIsShownAsItLastReported(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    said(testTenant, "left", Map.of("shopd", "1.0", "os", "12"));

    JsonNode host = testTenant.viewer().get(testTenant.path("hosts/left")).expectStatus(200).json();

    assertThat(host.path("versions").toString()).isEqualTo("{\"os\":\"12\",\"shopd\":\"1.0\"}");
    assertThat(host.path("agent_version").asString()).isEqualTo("0.1.0");
    assertThat(host.path("drivers").toString()).isEqualTo("[\"bundle\",\"script\"]");
    assertThat(host.path("boot_id").asString()).isEqualTo("boot-1");
    assertThat(host.path("reported_at").asString()).isEqualTo("2026-11-20T10:00:00Z");
    assertThat(host.path("last_seen_at").asString()).isEqualTo("2026-11-20T10:00:00Z");
  }

  @Test
  void theNewerOfHeartbeatAndInfoCounts(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    said(testTenant, "left", Map.of("shopd", "1.0"));
    testTenant
        .server()
        .bean(HostRepository.class)
        .recordHeartbeats(
            List.of(
                new HeartbeatRow(
                    testTenant.name(),
                    new HostId("left"),
                    "i-2",
                    "boot-2",
                    "standby",
                    Map.of("shopd", "1.1"),
                    SAID.plusSeconds(30))));

    JsonNode host = testTenant.viewer().get(testTenant.path("hosts/left")).expectStatus(200).json();

    assertThat(host.path("state").asString()).isEqualTo("standby");
    assertThat(host.path("boot_id").asString()).isEqualTo("boot-2");
    assertThat(host.path("versions").path("shopd").asString()).isEqualTo("1.1");
  }

  @Test
  void theHostsOfADeviceAreListedInItsOrder(TestTenant testTenant) {
    testTenant.putDevice("gate", "z", "a");
    testTenant.putDevice("door", "m");

    assertThat(testTenant.viewer().get(testTenant.path("hosts?device=gate")).texts("items", "host"))
        .containsExactly("z", "a");
    assertThat(testTenant.viewer().get(testTenant.path("hosts")).texts("items", "host")).containsExactly("a", "m", "z");
    testTenant.viewer().get(testTenant.path("hosts?device=none")).expectStatus(404);
    testTenant.viewer().get(testTenant.path("hosts/none")).expectStatus(404);
    testTenant.viewer().get(testTenant.path("hosts/a.b")).expectStatus(400);
  }

  @Test
  void versionsAreCountedIncludingUnknownOnes(TestTenant testTenant) {
    testTenant.putDevice("gate", "left", "right");
    testTenant.putDevice("door", "front");
    said(testTenant, "left", Map.of("shopd", "1.0"));
    said(testTenant, "right", Map.of("shopd", "1.1"));

    TestResponse counts = testTenant.viewer().get(testTenant.path("versions?package=shopd")).expectStatus(200);

    assertThat(counts.json().path("package").asString()).isEqualTo("shopd");
    assertThat(counts.json().path("versions").toString())
        .isEqualTo(
            """
            [{"version":"1.0","hosts":1,"devices":1},{"version":"1.1","hosts":1,"devices":1}]\
            """);
    assertThat(counts.json().path("unknown").toString())
        .isEqualTo("{\"version\":\"unknown\",\"hosts\":1,\"devices\":1}");
    assertThat(counts.json().path("oldest_report_at").asString()).isEqualTo("2026-11-20T10:00:00Z");
    assertThat(testTenant.viewer().get(testTenant.path("versions")).expectStatus(400).errors().getFirst())
        .startsWith("package: expected the name of a package");
  }

  @Test
  void theVersionsThatAHostRanAreListed(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    said(testTenant, "left", Map.of("shopd", "1.0", "os", "12"));
    said(testTenant, "left", Map.of("shopd", "1.1", "os", "12"), "{}", SAID.plusSeconds(60));

    TestResponse versions = testTenant.viewer().get(testTenant.path("hosts/left/versions?package=shopd"));

    assertThat(versions.expectStatus(200).json().path("items").toString())
        .isEqualTo(
            """
            [{"package":"shopd","version":"1.1","previous_version":"1.0","since":"2026-11-20T10:01:00Z"},\
            {"package":"shopd","version":"1.0","since":"2026-11-20T10:00:00Z","until":"2026-11-20T10:01:00Z"}]\
            """);
    assertThat(testTenant.viewer().get(testTenant.path("hosts/left/versions")).texts("items", "package"))
        .hasSize(3)
        .contains("os");
    testTenant.viewer().get(testTenant.path("hosts/none/versions")).expectStatus(404);
    assertThat(testTenant.viewer().get(testTenant.path("hosts/left/versions?package=A")).expectStatus(400).errors())
        .hasSize(1);
  }

  @Test
  void versionsAreCountedByDay(TestTenant testTenant) {
    testTenant.putDevice("gate", "left", "right");
    Instant now = Instant.now();
    said(testTenant, "left", Map.of("shopd", "1.0"), "{}", now.minus(Duration.ofDays(2)));
    said(testTenant, "right", Map.of("shopd", "1.0"), "{}", now);

    JsonNode history =
        testTenant.viewer().get(testTenant.path("versions/history?package=shopd&days=3")).expectStatus(200).json();

    assertThat(history.path("package").asString()).isEqualTo("shopd");
    assertThat(history.path("days").valueStream().map(day -> day.path("versions").toString()))
        .containsExactly(
            "[{\"version\":\"1.0\",\"hosts\":1}]",
            "[{\"version\":\"1.0\",\"hosts\":1}]",
            "[{\"version\":\"1.0\",\"hosts\":2}]");
    assertThat(testTenant.viewer().get(testTenant.path("versions/history?package=os")).json().path("days")).hasSize(30);
    assertThat(testTenant.viewer().get(testTenant.path("versions/history")).expectStatus(400).errors().getFirst())
        .startsWith("package: expected the name of a package");
    testTenant.viewer().get(testTenant.path("versions/history?package=os&days=401")).expectStatus(400);
  }

  @Test
  void theErrorOfAnAgentsFailedUpgradeIsShown(TestTenant testTenant) {
    testTenant.putDevice("gate", "left", "right");
    said(
        testTenant,
        "left",
        Map.of("uplift-agent", "1.0"),
        """
        {"protocol_version":1,"boot_id":"boot-1","instance":"i-1","state":"running",
        "at":"2026-11-20T10:00:00Z","upgrade_error":"2.0: it crashed"}\
        """);
    said(testTenant, "right", Map.of("uplift-agent", "1.0"));

    JsonNode left = testTenant.viewer().get(testTenant.path("hosts/left")).expectStatus(200).json();
    JsonNode right = testTenant.viewer().get(testTenant.path("hosts/right")).expectStatus(200).json();

    assertThat(left.path("upgrade_error").asString()).isEqualTo("2.0: it crashed");
    assertThat(left.path("instances").toString()).isEqualTo("[]");
    assertThat(right.has("upgrade_error")).isFalse();
  }

  @Test
  void whatAHostIsOfferedIsShown(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    said(
        testTenant,
        "left",
        Map.of("os", "12"),
        """
        {"protocol_version":1,"boot_id":"boot-1","instance":"i-1","state":"running","at":"2026-11-20T10:00:00Z",
        "offers":{"os":{"updates":3,"security":1,"digest":"2f7a90c41d3be856"},"till":{"updates":0}}}\
        """);

    JsonNode left = testTenant.viewer().get(testTenant.path("hosts/left")).expectStatus(200).json();

    assertThat(left.path("offers").toString())
        .isEqualTo("{\"os\":{\"updates\":3,\"security\":1},\"till\":{\"updates\":0,\"security\":0}}");
  }

  private static void said(TestTenant testTenant, String host, Map<String, String> versions) {
    said(testTenant, host, versions, "{}");
  }

  private static void said(TestTenant testTenant, String host, Map<String, String> versions, String text) {
    said(testTenant, host, versions, text, SAID);
  }

  private static void said(TestTenant testTenant, String host, Map<String, String> versions, String text, Instant at) {
    var info =
        new HostInfo(text, "0.1.0", "x86_64", List.of("bundle", "script"), "boot-1", "i-1", "running", versions, at);
    assertThat(
            testTenant
                .server()
                .bean(HostRepository.class)
                .recordInfo(testTenant.name(), new HostId(host), info, List.of(), List.of()))
        .isEqualTo(RecordedInfo.RECORDED);
  }
}
