package dev.uplift.api.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.Answer;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.fleet.HostId;
import dev.uplift.store.Beat;
import dev.uplift.store.HostInfo;
import dev.uplift.store.Hosts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedServer.class)
final class HostsTest {
  private static final Instant SAID = Instant.parse("2026-11-20T10:00:00Z");

  @Test
  void aHostThatNeverSpokeIsThereAllTheSame(Tenant tenant) {
    tenant.device("gate", "left");

    JsonNode host = tenant.viewer().get(tenant.path("hosts/left")).is(200).json();

    assertThat(host.path("device").asString()).isEqualTo("gate");
    assertThat(host.path("presence").asString()).isEqualTo("unknown");
    assertThat(host.path("versions").toString()).isEqualTo("{}");
    assertThat(host.has("seen_at")).isFalse();
  }

  @Test
  void aHostIsShownAsItLastSaid(Tenant tenant) {
    tenant.device("gate", "left");
    said(tenant, "left", Map.of("shopd", "1.0", "os", "12"));

    JsonNode host = tenant.viewer().get(tenant.path("hosts/left")).is(200).json();

    assertThat(host.path("versions").toString()).isEqualTo("{\"os\":\"12\",\"shopd\":\"1.0\"}");
    assertThat(host.path("agent_version").asString()).isEqualTo("0.1.0");
    assertThat(host.path("drivers").toString()).isEqualTo("[\"bundle\",\"script\"]");
    assertThat(host.path("boot_id").asString()).isEqualTo("boot-1");
    assertThat(host.path("said_at").asString()).isEqualTo("2026-11-20T10:00:00Z");
    assertThat(host.path("seen_at").asString()).isEqualTo("2026-11-20T10:00:00Z");
  }

  @Test
  void theNewerOfBeatAndInfoCounts(Tenant tenant) {
    tenant.device("gate", "left");
    said(tenant, "left", Map.of("shopd", "1.0"));
    tenant
        .server()
        .bean(Hosts.class)
        .heard(
            List.of(
                new Beat(
                    tenant.name(),
                    new HostId("left"),
                    "i-2",
                    "boot-2",
                    "standby",
                    Map.of("shopd", "1.1"),
                    SAID.plusSeconds(30))));

    JsonNode host = tenant.viewer().get(tenant.path("hosts/left")).is(200).json();

    assertThat(host.path("state").asString()).isEqualTo("standby");
    assertThat(host.path("boot_id").asString()).isEqualTo("boot-2");
    assertThat(host.path("versions").path("shopd").asString()).isEqualTo("1.1");
  }

  @Test
  void theHostsOfADeviceComeInItsOrder(Tenant tenant) {
    tenant.device("gate", "z", "a");
    tenant.device("door", "m");

    assertThat(tenant.viewer().get(tenant.path("hosts?device=gate")).texts("items", "host"))
        .containsExactly("z", "a");
    assertThat(tenant.viewer().get(tenant.path("hosts")).texts("items", "host"))
        .containsExactly("a", "m", "z");
    tenant.viewer().get(tenant.path("hosts?device=none")).is(404);
    tenant.viewer().get(tenant.path("hosts/none")).is(404);
    tenant.viewer().get(tenant.path("hosts/a.b")).is(400);
  }

  @Test
  void versionsAreCountedTheUnknownOnesToo(Tenant tenant) {
    tenant.device("gate", "left", "right");
    tenant.device("door", "front");
    said(tenant, "left", Map.of("shopd", "1.0"));
    said(tenant, "right", Map.of("shopd", "1.1"));

    Answer counts = tenant.viewer().get(tenant.path("versions?package=shopd")).is(200);

    assertThat(counts.json().path("package").asString()).isEqualTo("shopd");
    assertThat(counts.json().path("versions").toString())
        .isEqualTo(
            """
            [{"version":"1.0","hosts":1,"devices":1},{"version":"1.1","hosts":1,"devices":1}]\
            """);
    assertThat(counts.json().path("unknown").toString())
        .isEqualTo("{\"version\":\"unknown\",\"hosts\":1,\"devices\":1}");
    assertThat(counts.json().path("oldest").asString()).isEqualTo("2026-11-20T10:00:00Z");
    assertThat(tenant.viewer().get(tenant.path("versions")).is(400).faults().getFirst())
        .startsWith("package: expected the name of a package");
  }

  @Test
  void anAgentWhoseOwnUpgradeCameToNothingSaysWhy(Tenant tenant) {
    tenant.device("gate", "left", "right");
    said(
        tenant,
        "left",
        Map.of("uplift-agent", "1.0"),
        """
        {"protocol":1,"boot_id":"boot-1","instance":"i-1","state":"running",
        "at":"2026-11-20T10:00:00Z","upgrade_error":"2.0: it crashed"}\
        """);
    said(tenant, "right", Map.of("uplift-agent", "1.0"));

    JsonNode left = tenant.viewer().get(tenant.path("hosts/left")).is(200).json();
    JsonNode right = tenant.viewer().get(tenant.path("hosts/right")).is(200).json();

    assertThat(left.path("upgrade_error").asString()).isEqualTo("2.0: it crashed");
    assertThat(left.path("instances").toString()).isEqualTo("[]");
    assertThat(right.has("upgrade_error")).isFalse();
  }

  private static void said(Tenant tenant, String host, Map<String, String> versions) {
    said(tenant, host, versions, "{}");
  }

  private static void said(Tenant tenant, String host, Map<String, String> versions, String text) {
    var info =
        new HostInfo(
            text,
            "0.1.0",
            "x86_64",
            List.of("bundle", "script"),
            "boot-1",
            "i-1",
            "running",
            versions,
            SAID);
    assertThat(tenant.server().bean(Hosts.class).said(tenant.name(), new HostId(host), info))
        .isTrue();
  }
}
