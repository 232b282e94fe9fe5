package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import dev.uplift.testservers.DocumentedWorker;
import dev.uplift.testservers.TestServers;
import java.nio.file.Files;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// The OS upgrade of a tenant on a real stack: nothing but its configuration has the worker of `docs/drivers.md`
/// upgrade the hosts of a site.
@Timeout(300)
final class OsUpgradeTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String CONFIG = "/v1/config/tenants/acme/os-upgrade";
  private static final String STATE = "/v1/state/tenants/acme/os-upgrade";
  private static final String ALL_DAYS =
      Arrays.stream(DayOfWeek.values()).map(OsUpgradeTest::english).collect(Collectors.joining(", "));

  private final Stack stack = TestServers.stack().open();

  @AfterEach
  void endAll() {
    stack.close();
  }

  /// AV-69, a third host that has another package is left alone; AV-71, AV-78, AV-80, AV-82 to AV-88.
  @Test
  void theHostsOfASiteAreUpgradedByTheirWorkersInItsWindow() throws Exception {
    Assumptions.assumeTrue(
        DocumentedWorker.hasInterpreter(), "there is no python3 on this machine, which the worker of the page needs");
    stack.start();
    var rest = new TestRestClient(stack, "acme");
    rest.publish("os", "worker", "22.04", 2204);
    rest.publish("os", "worker", "24.04", 2404);
    rest.call("PUT", "packages/os/channels/stable", Map.of("version", "24.04")).expectStatus(201);
    DocumentedWorker left = startWorker("h01");
    DocumentedWorker right = startWorker("h02");
    StackHost other = stack.host("acme", "h03").withPackage("shopd", "simulated", Map.of("version", "1.0"));
    other.start();
    rest.call("PUT", "devices/north", Map.of("hosts", List.of("h01", "h02", "h03"))).expectStatus(201);
    await("all are heard").atMost(TIMEOUT).until(() -> online(rest) == 3);

    rest.callAt("PUT", CONFIG, configuration(english(inThreeDays()), "1h")).expectStatus(201);
    await("only the window is missing").atMost(TIMEOUT).until(() -> isInRollout(rest));
    await("both have reported").atMost(TIMEOUT).until(() -> state(rest).path("scheduled-workers").size() == 2);
    JsonNode before = state(rest);
    assertThat(before.path("status").asString()).isEqualTo("idle");
    assertThat(before.path("next-upgrade-in").asString()).matches("[23]d.*|2d");
    assertThat(before.path("scheduled-workers").toString())
        .isEqualTo("[{\"host\":\"h01\",\"application\":\"os\"},{\"host\":\"h02\",\"application\":\"os\"}]");
    assertThat(before.has("last-upgrade-info")).isFalse();
    assertThat(left.effects()).isEmpty();

    Files.createFile(right.file("hold"));
    rest.callAt("PATCH", CONFIG, configuration(ALL_DAYS, "24h")).expectStatus(204);
    await("the window is open").atMost(TIMEOUT).until(() -> state(rest).path("status").asString().equals("upgrading"));
    Files.delete(right.file("hold"));
    await("the end").atMost(TIMEOUT).until(() -> state(rest).has("last-upgrade-info"));

    JsonNode after = state(rest);
    JsonNode last = after.path("last-upgrade-info");
    assertThat(last.path("result").asString()).isEqualTo("completed");
    assertThat(last.path("hosts").toString())
        .isEqualTo("[{\"hostname\":\"h01\",\"status\":\"upgraded\"},{\"hostname\":\"h02\",\"status\":\"upgraded\"}]");
    assertThat(after.path("status").asString()).isEqualTo("idle");
    assertThat(after.path("next-upgrade-in").asString()).isEqualTo("0s");
    assertThat(left.effects()).isEqualTo(DocumentedWorker.EACH_ONCE);
    assertThat(right.effects()).isEqualTo(DocumentedWorker.EACH_ONCE);
    await("both report it").atMost(TIMEOUT).until(() -> versions(rest).equals(List.of("h01 24.04", "h02 24.04")));
  }

  private DocumentedWorker startWorker(String name) {
    StackHost host = stack.host("acme", name);
    DocumentedWorker worker = DocumentedWorker.on(host);
    host.start();
    return worker;
  }

  private static String configuration(String days, String duration) {
    return """
    {"worker-applications":[{"name":"os"}],"maintenance-windows":[{"days-of-week":"%s","start-time":"00:00",\
    "timezone":"UTC","duration":"%s"}]}\
    """
        .formatted(days, duration);
  }

  private static DayOfWeek inThreeDays() {
    return LocalDate.now(ZoneOffset.UTC).plusDays(3).getDayOfWeek();
  }

  private static String english(DayOfWeek day) {
    return day.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  private static long online(TestRestClient rest) {
    return rest.get("hosts")
        .expectStatus(200)
        .body()
        .path("items")
        .valueStream()
        .filter(host -> host.path("presence").asString("").equals("online"))
        .filter(host -> List.of("{\"os\":\"22.04\"}", "{\"shopd\":\"1.0\"}").contains(host.path("versions").toString()))
        .count();
  }

  private static List<String> versions(TestRestClient rest) {
    return rest.callAt("GET", STATE + "/hosts", "")
        .expectStatus(200)
        .body()
        .path("items")
        .valueStream()
        .map(host -> host.path("hostname").asString() + " " + host.path("versions").path("os").asString())
        .toList();
  }

  private static boolean isInRollout(TestRestClient rest) {
    JsonNode status = rest.get("policies/os-upgrade/status").expectStatus(200).body();
    return status.path("not_satisfied").path(0).path("reason").asString("").equals("in-rollout");
  }

  private static JsonNode state(TestRestClient rest) {
    return rest.callAt("GET", STATE + "?site=north", "").expectStatus(200).body();
  }
}
