package dev.uplift.api.osupgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.RecordedInfo;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedServerExtension.class)
final class OsUpgradeStateControllerTest {
  private static final Instant SAID = Instant.parse("2026-11-20T10:00:00Z");
  private static final String CONFIG =
      """
      {"worker-applications":[{"name":"os"}],\
      "maintenance-windows":[{"days-of-week":"Friday, Saturday","start-time":"01:00","timezone":"site-local",\
      "duration":"4h"}]}\
      """;

  /// AV-79, AV-82, AV-83, AV-84, AV-85: before any upgrade.
  @Test
  void theStateRepeatsTheConfigurationAndNamesTheHosts(TestTenant testTenant) {
    fleet(testTenant);

    JsonNode state = get(testTenant, "").expectStatus(200).json();

    assertThat(state.path("worker-applications").toString()).isEqualTo("[{\"name\":\"os\"}]");
    assertThat(state.path("maintenance-windows").get(0).path("days-of-week").asString()).isEqualTo("Friday, Saturday");
    assertThat(state.path("status").asString()).isEqualTo("idle");
    assertThat(state.path("scheduled-workers").toString())
        .isEqualTo(
            "[{\"host\":\"h01\",\"application\":\"os\"},{\"host\":\"h02\",\"application\":\"os\"},"
                + "{\"host\":\"h03\",\"application\":\"os\"}]");
    assertThat(state.has("next-upgrade-in")).as("each site has a time of its own").isFalse();
    assertThat(state.has("last-upgrade-info")).isFalse();
  }

  /// AV-80, AV-84: of one site, which is a device.
  @Test
  void aSiteHasItsOwnHostsAndItsOwnTime(TestTenant testTenant) {
    fleet(testTenant);

    JsonNode state = get(testTenant, "?site=north").expectStatus(200).json();

    assertThat(state.path("scheduled-workers").valueStream().map(it -> it.path("host").asString()))
        .containsExactly("h01", "h02");
    assertThat(state.path("next-upgrade-in").asString()).matches("([1-6]d)?([0-9]{1,2}h)?([0-9]{1,2}m)?([0-9]{1,2}s)?");
    get(testTenant, "?site=none").expectStatus(404);
    get(testTenant, "?site=no.name").expectStatus(400);
  }

  /// AV-83, AV-86, AV-87, AV-88.
  @Test
  void theLastUpgradeIsShownWithItsHosts(TestTenant testTenant) {
    fleet(testTenant);
    start(testTenant, "north");
    assertThat(get(testTenant, "").json().path("status").asString()).isEqualTo("upgrading");
    assertThat(get(testTenant, "?site=south").json().path("status").asString()).isEqualTo("idle");

    end(testTenant, "north", Outcome.UPGRADED);

    JsonNode state = get(testTenant, "").expectStatus(200).json();
    assertThat(state.path("status").asString()).isEqualTo("idle");
    JsonNode last = state.path("last-upgrade-info");
    assertThat(last.path("result").asString()).isEqualTo("completed");
    assertThat(last.path("hosts").toString())
        .isEqualTo("[{\"hostname\":\"h01\",\"status\":\"upgraded\"},{\"hostname\":\"h02\",\"status\":\"upgraded\"}]");
    assertThat(last.path("start-time").asString()).endsWith("Z");
    assertThat(Instant.parse(last.path("end-time").asString()))
        .isAfterOrEqualTo(Instant.parse(last.path("start-time").asString()));
    assertThat(get(testTenant, "?site=south").json().has("last-upgrade-info")).isFalse();
  }

  /// AV-87: another result than `completed`.
  @Test
  void anUpgradeThatDidNotSucceedSaysHowItEnded(TestTenant testTenant) {
    fleet(testTenant);
    start(testTenant, "north");
    end(testTenant, "north", Outcome.PARTIAL);

    assertThat(get(testTenant, "?site=north").json().path("last-upgrade-info").path("result").asString())
        .isEqualTo("partial");
  }

  /// AV-81.
  @Test
  void contentFiltersWhatIsShown(TestTenant testTenant) {
    fleet(testTenant);

    assertThat(get(testTenant, "?content=config").expectStatus(200).text()).isEqualTo(CONFIG);
    assertThat(get(testTenant, "?content=nonconfig").expectStatus(200).json().propertyNames())
        .containsExactly("status", "scheduled-workers");
    get(testTenant, "?content=all").expectStatus(400);
  }

  /// AV-67.
  @Test
  void onlyTheRequestedFieldsAreShown(TestTenant testTenant) {
    fleet(testTenant);

    assertThat(get(testTenant, "?fields=status").expectStatus(200).text()).isEqualTo("{\"status\":\"idle\"}");
    assertThat(get(testTenant, "?fields=status,worker-applications&content=config").expectStatus(200).text())
        .isEqualTo("{\"worker-applications\":[{\"name\":\"os\"}]}");
    get(testTenant, "?fields=hosts").expectStatus(400);
  }

  /// AV-79: neither 304 nor 412.
  @Test
  void theStateHasNoVersion(TestTenant testTenant) {
    fleet(testTenant);

    assertThat(get(testTenant, "").header("ETag")).isEmpty();
    testTenant.viewer().withHeader("If-None-Match", "*").get(path(testTenant)).expectStatus(200);
    testTenant.viewer().withHeader("If-Match", "\"7\"").get(path(testTenant)).expectStatus(200);
    testTenant.server().anonymousClient().get(path(testTenant)).expectStatus(401);
  }

  /// AV-50, AV-52, AV-53: what hosts have reported, page by page.
  @Test
  void theVersionsOfHostsAreReadable(TestTenant testTenant) {
    fleet(testTenant);

    JsonNode first = testTenant.viewer().get(path(testTenant) + "/hosts?limit=2").expectStatus(200).json();
    assertThat(first.path("items").toString())
        .isEqualTo(
            "[{\"hostname\":\"h01\",\"versions\":{\"kernel\":\"6.1\",\"os\":\"22.04\"}},"
                + "{\"hostname\":\"h02\",\"versions\":{\"kernel\":\"6.1\",\"os\":\"22.04\"}}]");
    String next = first.path("next_cursor").asString();
    assertThat(testTenant.viewer().get(path(testTenant) + "/hosts?limit=2&cursor=" + next).texts("items", "hostname"))
        .containsExactly("h03");
  }

  /// The sites `north` and `south`; the host `other` does not report the package.
  private static void fleet(TestTenant testTenant) {
    testTenant.putDevice("north", "h01", "h02");
    testTenant.putDevice("south", "h03", "other");
    for (String host : List.of("h01", "h02", "h03")) {
      report(testTenant, host, Map.of("os", "22.04", "kernel", "6.1"));
    }
    report(testTenant, "other", Map.of("shopd", "1.0"));
    testTenant.operator().send("PUT", path(testTenant).replace("state", "config"), CONFIG).expectStatus(201);
  }

  private static void report(TestTenant testTenant, String host, Map<String, String> versions) {
    var info = new HostInfo("{}", "0.1.0", "x86_64", List.of("worker"), "boot-1", "i-1", "running", versions, SAID);
    assertThat(
            testTenant
                .server()
                .bean(HostRepository.class)
                .recordInfo(testTenant.name(), new HostId(host), info, List.of(), List.of()))
        .isEqualTo(RecordedInfo.RECORDED);
  }

  private static void start(TestTenant testTenant, String site) {
    testTenant
        .server()
        .bean(UpgradeRepository.class)
        .createIfAbsent(
            new NewUpgrade(
                site + "-1",
                new DeviceId(testTenant.name(), site),
                new Release("os", "24.04"),
                "policy os-upgrade",
                "{}",
                "run-1"));
  }

  private static void end(TestTenant testTenant, String site, Outcome outcome) {
    String hosts =
        """
        [{"host":"h01","progress":"upgraded","version":"24.04"},{"host":"h02","progress":"upgraded","version":"24.04"}]\
        """;
    assertThat(
            testTenant
                .server()
                .bean(UpgradeRepository.class)
                .recordEnd(testTenant.name(), site + "-1", new UpgradeEnd(outcome, Optional.empty(), hosts)))
        .isPresent();
  }

  private static TestResponse get(TestTenant testTenant, String query) {
    return testTenant.viewer().get(path(testTenant) + query);
  }

  private static String path(TestTenant testTenant) {
    return "/v1/state/tenants/%s/os-upgrade".formatted(testTenant.name());
  }
}
