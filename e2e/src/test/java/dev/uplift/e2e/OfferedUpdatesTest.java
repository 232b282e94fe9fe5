package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import dev.uplift.testservers.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// A policy for what a host is offered on a real stack. The host is kept by scripts: `inspect` says what the file
/// `offered` says, and `upgrade` leaves of it what the file `held` says.
@Timeout(300)
final class OfferedUpdatesTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final List<String> ALL_DAYS = Arrays.stream(DayOfWeek.values()).map(OfferedUpdatesTest::word).toList();

  private final Stack stack = TestServers.stack().open();
  private TestRestClient rest;
  private Path os;

  @BeforeEach
  void start() throws IOException {
    SimulatedFleet.withShortTimeouts(stack.server());
    stack.start();
    rest = new TestRestClient(stack, "acme");
    StackHost host = stack.host("acme", "left");
    os = host.packageFolder("os");
    installScripts();
    host.withPackage("os", "script", Map.of()).setting("heartbeat_seconds", 1).start();
  }

  @AfterEach
  void endAll() {
    stack.close();
  }

  @Test
  void whatAHostIsOfferedIsInstalledOnceInItsWindow() throws Exception {
    putDevice(List.of(word(LocalDate.now(ZoneOffset.UTC).plusDays(3).getDayOfWeek())));
    rest.call("PUT", "policies/patches", policy()).expectStatus(201);
    rest.call("POST", "policies/patches/enable", Map.of()).expectStatus(200);
    assertThat(status().path("missing").asString())
        .isEqualTo("no release of os is published, which would bring what is offered");

    rest.publish("os", "script", "12", 120);
    await("nothing is offered").atMost(TIMEOUT).until(() -> count("satisfied") == 1);
    assertThat(status().path("version").asString()).isEqualTo("12");

    offer("docker=27");
    await("its window is closed").atMost(TIMEOUT).until(() -> reason().equals("start"));
    JsonNode why = why();
    assertThat(why.at("/links/0/message").asString()).isEqualTo("the policy patches wants what is offered, by os 12");
    assertThat(why.at("/answer/word").asString()).isNotEqualTo("up-to-date");
    assertThat(effects()).isEmpty();

    write("held", "docker=27");
    putDevice(ALL_DAYS);
    await("the end of the upgrade").atMost(TIMEOUT).until(() -> rollouts("upgraded") == 1);
    await("it is satisfied").atMost(TIMEOUT).until(() -> count("satisfied") == 1);
    assertThat(effects()).containsExactly("upgrade 12");
    assertThat(ofDevice().path("message").asString())
        .startsWith("the last upgrade has left what left is offered: 1 update");
    rest.call("POST", "policies/patches/enable", Map.of()).expectStatus(200);
    assertThat(why().at("/answer/word").asString()).isEqualTo("up-to-date");

    write("held", "");
    offer("docker=27 openssl=3.0.15");
    await("the new offer is known").atMost(TIMEOUT).until(() -> reason().equals("back-off"));
    assertThat(effects()).as("ten minutes have not passed").containsExactly("upgrade 12");
    rest.publish("os", "script", "13", 130);

    await("the new offer is taken").atMost(TIMEOUT).until(() -> rollouts("upgraded") == 2);
    await("it is satisfied again").atMost(TIMEOUT).until(() -> count("satisfied") == 1);
    assertThat(effects()).containsExactly("upgrade 12", "upgrade 13");
    assertThat(ofDevice().path("message").asString()).isEqualTo("is offered nothing");
  }

  private void installScripts() throws IOException {
    Files.createDirectories(os);
    write("version", "12");
    write("offered", "");
    write("held", "");
    write("effects", "");
    script("inspect", "echo version=$(cat version)", "echo offered=$(cat offered)", "echo offered_security=0");
    script("upgrade", "echo upgrade $1 >>effects", "cp held offered", "echo $1 >version");
  }

  private void script(String verb, String... lines) throws IOException {
    Path file = os.resolve(verb);
    Files.writeString(file, "#!/bin/sh\ncd '" + os + "' || exit 1\n" + String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void offer(String updates) throws IOException {
    write("offered", updates);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(os.resolve(name), text.isEmpty() ? "" : text + "\n");
  }

  private List<String> effects() throws IOException {
    return Files.readAllLines(os.resolve("effects"));
  }

  private void putDevice(List<String> days) {
    Map<String, Object> window = Map.of("days_of_week", days, "start_time", "00:00", "duration", "24h");
    rest.call("PUT", "devices/store", Map.of("hosts", List.of("left"), "windows", List.of(window)))
        .expectStatus(200, 201);
  }

  private static String word(DayOfWeek day) {
    return day.toString().toLowerCase(Locale.ROOT);
  }

  private static Map<String, Object> policy() {
    return new TreeMap<>(
        Map.of(
            "package",
            "os",
            "target",
            Map.of("offered", true),
            "selection",
            "true",
            "everything",
            true,
            "each_window",
            true));
  }

  private JsonNode status() {
    return rest.get("policies/patches/status").expectStatus(200).body();
  }

  private int count(String state) {
    return status().path("counts").path(state).asInt(0);
  }

  private String reason() {
    return status().path("not_satisfied").path(0).path("reason").asString("");
  }

  private long rollouts(String outcome) {
    return status()
        .path("rollouts")
        .valueStream()
        .filter(rollout -> rollout.path("outcome").asString("").equals(outcome))
        .count();
  }

  private JsonNode ofDevice() {
    return rest.get("policies/patches/applies-to").expectStatus(200).body().path("items").path(0);
  }

  private JsonNode why() {
    return rest.get("devices/store/why?package=os").expectStatus(200).body().at("/packages/0");
  }
}
