package dev.uplift.e2e;

import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The tenant of which the examples in the OpenAPI document speak: `acme`, with the device `gate` whose host `left` has
/// enrolled and works, releases of `shopd`, upgrades that have ended, that wait and that need an approval, rollouts
/// that run and that are drafts, a policy, the OS upgrade, a webhook, and windows.
final class ExampleTenant {
  static final String NAME = "acme";
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final Map<String, Object> SUNDAY_NIGHT =
      Map.of("days_of_week", List.of("sun"), "start_time", "02:00", "duration", "4h");

  private final Stack stack;
  private final TestRestClient rest;

  private ExampleTenant(Stack stack) {
    this.stack = stack;
    this.rest = new TestRestClient(stack, NAME);
  }

  /// Creates the tenant in a stack that runs.
  static void create(Stack stack) {
    var exampleTenant = new ExampleTenant(stack);
    exampleTenant.putDevices();
    exampleTenant.publishReleases();
    exampleTenant.enrol("gate", "left");
    exampleTenant.startUpgrades();
    exampleTenant.createRollouts();
    exampleTenant.putPolicy();
    exampleTenant.putOsUpgrade();
    exampleTenant.putWebhook();
  }

  private void putDevices() {
    rest.putDevice("gate", "left", "ring", "1");
    for (String device : List.of("door", "store-7", "store-8", "store-9")) {
      rest.putDevice(device, device + "-host", "ring", "2");
    }
    rest.call("PUT", "devices/hall", Map.of("hosts", List.of("hall"), "windows", List.of(SUNDAY_NIGHT)))
        .expectStatus(201);
    rest.call("PUT", "label-windows/ring/1", Map.of("windows", List.of(SUNDAY_NIGHT))).expectStatus(201);
  }

  private void publishReleases() {
    rest.publish("shopd", "simulated", "1.1", 11);
    rest.publish("shopd", "bundle", "3.0", 30, new byte[] {1, 2, 3});
    rest.publish("shopd", "simulated", "2.0", 20);
  }

  private void enrol(String device, String host) {
    String token =
        rest.call("POST", "devices/%s/hosts/%s/enrolments".formatted(device, host), Map.of())
            .expectStatus(201)
            .body()
            .path("token")
            .asString();
    StackHost stackHost = stack.host(NAME, host).withPackage("shopd", "simulated", Map.of("version", "1.0"));
    var _ = stackHost.join(token);
    stackHost.start();
  }

  private void startUpgrades() {
    rest.startUpgrade("gate-2", "gate", "shopd", "2.0", Map.of("ignore_windows", true, "reason", "first"))
        .expectStatus(201);
    await("an upgrade that has ended").atMost(TIMEOUT).until(() -> rest.outcome("gate-2").equals("upgraded"));
    rest.startUpgrade("door-1", "door", "shopd", "2.0").expectStatus(201);
    rest.startUpgrade("hall-1", "hall", "shopd", "2.0", Map.of("wait_for_window", true)).expectStatus(201);
    rest.startUpgrade("store-7-1", "store-7", "shopd", "2.0", Map.of("require_approval", true)).expectStatus(201);
  }

  private void createRollouts() {
    rest.startRollout("os-north", plan("draft", true));
    rest.startRollout("shopd-2", plan("draft", false));
  }

  private void putPolicy() {
    rest.call(
            "PUT",
            "policies/shopd-stable",
            Map.of("package", "shopd", "target", Map.of("version", "2.0"), "selection", "labels.ring == '2'"))
        .expectStatus(201);
  }

  private void putWebhook() {
    rest.call("PUT", "webhooks/chat", Map.of("url", "https://127.0.0.1/", "enabled", false)).expectStatus(201);
  }

  private void putOsUpgrade() {
    String configuration =
        """
        {"worker-applications":[{"name":"shopd"}],"maintenance-windows":[{"days-of-week":"Friday, Saturday",\
        "start-time":"01:00","timezone":"site-local","duration":"4h"}]}\
        """;
    rest.callAt("PUT", "/v1/config/tenants/" + NAME + "/os-upgrade", configuration).expectStatus(201);
  }

  private static Map<String, Object> plan(String option, Object value) {
    return Map.of(
        "package", "shopd", "version", "2.0", "selection", "labels.ring == '2'", "waves", waves(), option, value);
  }

  private static List<Map<String, Object>> waves() {
    return List.of(Map.of("expression", "device == 'store-8'", "gate", "approval"), Map.of("rest", true));
  }
}
