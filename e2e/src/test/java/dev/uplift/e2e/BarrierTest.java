package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// Barriers over twelve hosts, of which one is silent and one comes late; server and Temporal are killed in between.
@Timeout(600)
final class BarrierTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(4);
  private static final String LATE = "late-0";
  private static final String SILENT = "silent-0";

  private final Stack stack = TestServers.stack().open();
  private TestRestClient rest;

  @BeforeEach
  void start() {
    var _ = SimulatedFleet.withShortTimeouts(stack.server());
    stack.start();
    rest = new TestRestClient(stack, "acme");
    simulate("prompt", "prompt-##", 10);
    IntStream.range(0, 10).mapToObj("prompt-%02d"::formatted).forEach(host -> putDevice(host));
    putDevice(LATE);
    putDevice(SILENT);
    rest.publish("till", "simulated", "2.0", 20);
    await("ten hosts are heard").atMost(TIMEOUT).until(() -> countOnline() == 10);
  }

  @AfterEach
  void stop() {
    stack.close();
  }

  @Test
  void withoutTheSilentOneItGoesOnIsContinuedAndTheHaltedOnesAreUpgraded() {
    startBarrier(Map.of("when_not_halted", "continue", "deadline_seconds", 120, "version", "2.0"));
    await("some have halted").atMost(TIMEOUT).until(() -> count("halted") > 0);
    stack.server().kill();
    stack.temporal().kill();
    stack.temporal().start();
    stack.server().start();
    simulate("late", "late-#", 1);

    await("all but the silent one").atMost(TIMEOUT).until(() -> state().equals("halted"));
    assertThat(count("halted")).isEqualTo(11);
    assertThat(missing()).containsExactly(SILENT + ": it has not answered");
    assertThat(rest.get("hosts/" + LATE).text()).contains("\"halted\":[{\"package\":\"till\",\"barrier\":\"schema-7\"");
    assertThat(rest.startUpgrade("one", LATE, "till", "2.0", Map.of("override_pin", true)).expectStatus(409).text())
        .contains("till is halted for barrier schema-7");
    assertThat(rest.get("devices/" + LATE + "/why?package=till").expectStatus(200).text())
        .contains("till is halted for barrier schema-7 until ");
    stack.server().kill();
    stack.server().start();
    rest.call("POST", "barriers/schema-7/continue", Map.of("reason", "migrated")).expectStatus(200);

    await("the end").atMost(TIMEOUT).until(() -> state().equals("ended"));
    assertThat(barrier().path("outcome").asString()).isEqualTo("completed-without");
    assertThat(count("resumed")).isEqualTo(11);
    assertThat(barrier().path("rollout").asString()).isEqualTo("barrier-schema-7");
    await("the rollout")
        .atMost(TIMEOUT)
        .until(() -> rest.rollout("barrier-schema-7").path("state").asString().equals("ended"));
    assertThat(rest.rollout("barrier-schema-7").path("outcome").asString()).isEqualTo("upgraded");
  }

  @Test
  void oneThatIsSilentHasEverybodyResumeWithTheListOfTheMissing() {
    startBarrier(Map.of("deadline_seconds", 45));
    await("some have halted").atMost(TIMEOUT).until(() -> count("halted") > 0);
    stack.temporal().kill();
    stack.server().kill();
    stack.temporal().start();
    stack.server().start();
    simulate("late", "late-#", 1);

    await("the end").atMost(TIMEOUT).until(() -> state().equals("ended"));

    assertThat(barrier().path("outcome").asString()).isEqualTo("aborted");
    assertThat(missing()).contains(SILENT + ": it has not answered");
    assertThat(count("halted")).isZero();
    assertThat(count("resumed")).isGreaterThanOrEqualTo(10);
    await("no host is halted")
        .atMost(TIMEOUT)
        .until(() -> !rest.get("hosts?limit=100").expectStatus(200).text().contains("\"schema-7\""));
    rest.startUpgrade("one", "prompt-00", "till", "2.0").expectStatus(201);
    await("the upgrade").atMost(TIMEOUT).until(() -> rest.outcome("one").equals("upgraded"));
  }

  private void startBarrier(Map<String, ?> more) {
    var body = new HashMap<String, Object>(more);
    body.put("package", "till");
    body.put("selection", "true");
    body.put("everything", true);
    body.put("max_halt_seconds", 600);
    rest.startBarrier("schema-7", body);
  }

  private void putDevice(String host) {
    rest.putDevice(host, host);
  }

  private void simulate(String name, String hosts, int count) {
    stack
        .simulator(
            name,
            List.of(
                "--nats",
                stack.nats().url(),
                "--credentials",
                stack.nats().operator().fleetCredentials("acme").toString(),
                "--trust",
                stack.secrets().trustFolder("acme").toString(),
                "--tenant",
                "acme",
                "--hosts",
                hosts,
                "--count",
                Integer.toString(count),
                "--heartbeat-seconds",
                "1",
                "--ramp-up-seconds",
                "1",
                "--package",
                "till=1.0"))
        .launch();
  }

  private long countOnline() {
    return rest.get("hosts?limit=100")
        .expectStatus(200)
        .body()
        .path("items")
        .valueStream()
        .filter(host -> host.path("presence").asString("").equals("online"))
        .count();
  }

  private JsonNode barrier() {
    return rest.get("barriers/schema-7").expectStatus(200).body();
  }

  private String state() {
    return barrier().path("state").asString();
  }

  private int count(String state) {
    return barrier().path("counts").path(state).asInt();
  }

  private List<String> missing() {
    return barrier()
        .path("missing")
        .valueStream()
        .map(host -> host.path("host").asString() + ": " + host.path("detail").asString())
        .toList();
  }
}
