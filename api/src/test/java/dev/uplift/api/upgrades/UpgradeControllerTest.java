package dev.uplift.api.upgrades;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.LiveServer;
import dev.uplift.api.testing.SseClient;
import dev.uplift.api.testing.StubHost;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.UpgradeScenario;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.CommandAction;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.RecordedInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class UpgradeControllerTest extends UpgradeScenario {
  UpgradeControllerTest(LiveServer live) {
    super(live);
  }

  @Test
  void anUpgradeIsStartedAndStreamsItsEvents() {
    try (StubHost host = live.newHost()) {
      String id = id();
      TestResponse started = start(host, id, TO_2).expectStatus(201);
      assertThat(started.header("Location")).contains(live.path("upgrades/" + id));
      var sseClient = new SseClient(live.tenant().viewer(), live.path("upgrades/" + id + "/events"));

      JsonNode ended = awaitEnd(id);

      SseClient.SseEvent last = sseClient.remaining().getLast();
      assertThat(last.name()).isEqualTo("ended");
      assertThat(last.json()).isEqualTo(ended);
      sseClient.close();

      assertThat(ended.path("outcome").asString()).isEqualTo("upgraded");
      assertThat(ended.path("phase").asString()).isEqualTo("ended");
      assertThat(ended.path("started_by").asString()).isEqualTo("operator");
      assertThat(ended.path("rollback_scope").asString()).isEqualTo("device");
      assertThat(Instant.parse(ended.path("not_after").asString())).isAfter(Instant.now().plus(Duration.ofHours(23)));
      assertThat(ended.path("hosts").path(0).path("progress").asString()).isEqualTo("upgraded");
      assertThat(ended.path("hosts").path(0).path("version").asString()).isEqualTo("2.0");
      assertThat(ended.path("waiting").toString()).isEqualTo("[]");
      assertThat(steps(ended)).containsExactly("prepare", "upgrade");
      JsonNode command = ended.path("timeline").path(0);
      assertThat(command.path("outcome").path("result").asString()).isEqualTo("done");
      assertThat(command.path("outcome").path("version").asString()).isEqualTo("1.0");
      assertThat(command.path("outcome").path("log").asString()).isEqualTo("log of prepare");
      assertThat(command.path("publish_count").asInt()).isPositive();
      assertThat(ended.path("temporal_ui").asString())
          .startsWith(live.stack().temporal().uiUrl() + "/namespaces/default/workflows/")
          .contains("upgrade%2Facme%2F" + host.name() + "/");
    }
  }

  @Test
  void stepsMayTakeAsLongAsTheUpgradeSays() {
    try (StubHost host = live.newHost()) {
      String id = id();
      String body = TO_2.replace("}", ",\"step_timeouts\":{\"upgrade_seconds\":7200}}");
      start(host, id, body).expectStatus(201);

      JsonNode ended = awaitEnd(id);

      assertThat(ended.path("step_timeouts").toString())
          .isEqualTo(
              "{\"prepare_seconds\":21600,\"upgrade_seconds\":7200,\"reboot_seconds\":900,"
                  + "\"await_heartbeat_seconds\":600,\"rollback_seconds\":7200}");
      assertThat(host.timeout(CommandAction.UPGRADE)).isEqualTo(Duration.ofHours(2));
      assertThat(host.timeout(CommandAction.PREPARE)).isEqualTo(Duration.ofHours(6));
    }
  }

  @Test
  void stepTimeoutsBeyondTheBoundOfTheServerAreRefused() {
    try (StubHost host = live.newHost()) {
      String tooLong = TO_2.replace("}", ",\"step_timeouts\":{\"reboot_seconds\":86401}}");
      assertThat(start(host, id(), tooLong).expectStatus(422).json().toString())
          .contains("/step_timeouts/reboot_seconds", "at most 86400", "UPLIFT_TIMEOUTS_LONGEST");
      String none = TO_2.replace("}", ",\"step_timeouts\":{\"reboot_seconds\":0}}");
      assertThat(start(host, id(), none).expectStatus(400).json().toString()).contains("/step_timeouts/reboot_seconds");
    }
  }

  @Test
  void theLogsOfAnUpgradeAreShownByHostAndStepWithoutWhatATerminalObeys() {
    String escapes = "\u001b]52;c;cm0=\u0007\nsecond\u202e line";
    try (StubHost host = live.newHost().log(CommandAction.UPGRADE, escapes)) {
      String id = id();
      start(host, id, TO_2).expectStatus(201);
      awaitEnd(id);
      String path = live.path("upgrades/" + id + "/log");

      JsonNode logs = live.tenant().viewer().get(path).expectStatus(200).json().path("items");
      assertThat(logs).extracting(log -> log.path("step").asString()).containsExactly("prepare", "upgrade");
      assertThat(logs.path(0).path("log").asString()).isEqualTo("log of prepare");
      assertThat(logs.path(1).path("log").asString()).isEqualTo("\uFFFD]52;c;cm0=\uFFFD\nsecond\uFFFD line");
      assertThat(logs.path(1).path("host").asString()).isEqualTo(host.name());
      assertThat(live.tenant().viewer().get(path + "?step=upgrade&host=" + host.name()).texts("items", "step"))
          .containsExactly("upgrade");
      assertThat(live.tenant().viewer().get(path + "?host=other").texts("items", "step")).isEmpty();
      live.tenant().viewer().get(path + "?step=dance").expectStatus(400);
      live.tenant().viewer().get(live.path("upgrades/no-such/log")).expectStatus(404);
    }
  }

  @Test
  void theLinkOfAnUpgradeOpensItsOwnRun() {
    try (StubHost host = live.newHost()) {
      String first = id();
      start(host, first, TO_2).expectStatus(201);
      String link = awaitEnd(first).path("temporal_ui").asString();
      String second = id();
      start(host, second, TO_2).expectStatus(201);
      String newer = awaitEnd(second).path("temporal_ui").asString();

      assertThat(link).matches(".*/workflows/upgrade%2Facme%2F[^/]+/[0-9a-f-]{36}");
      assertThat(newer).matches(".*/workflows/upgrade%2Facme%2F[^/]+/[0-9a-f-]{36}");
      assertThat(newer).isNotEqualTo(link);
      assertThat(awaitEnd(first).path("temporal_ui").asString()).isEqualTo(link);
    }
  }

  @Test
  void aPendingWaitHasAReasonAHostAndATime() {
    try (StubHost host = live.newHost().ignore(CommandAction.UPGRADE)) {
      String id = id();
      start(host, id, TO_2).expectStatus(201);

      JsonNode running = await(id, upgrade -> waitsFor(upgrade, "upgrade"));

      JsonNode wait = running.path("waiting").path(0);
      assertThat(wait.path("reason").asString()).isEqualTo("result");
      assertThat(wait.path("host").asString()).isEqualTo(host.name());
      assertThat(wait.path("waiting_on").asString()).isEqualTo(host.name());
      assertThat(wait.path("message").asString()).isNotBlank();
      assertThat(Instant.parse(wait.path("since").asString())).isBeforeOrEqualTo(Instant.now());
      assertThat(Instant.parse(wait.path("until").asString())).isAfter(Instant.now());
      assertThat(wait.path("presence").path("presence").asString()).isEqualTo("online");
      assertThat(running.path("phase").asString()).isEqualTo("upgrade");
      assertThat(running.has("outcome")).isFalse();
      assertThat(
              live.tenant().viewer().get(live.path("upgrades?running=true&device=" + host.name())).texts("items", "id"))
          .containsExactly(id);
      host.resetBehavior();
      awaitEnd(id);
    }
  }

  @Test
  void aHostOfTheDeviceWithoutThePackageTakesNoPart() {
    try (StubHost host = live.newHost()) {
      String other = host.name() + "-other";
      live.tenant()
          .admin()
          .send(
              "PATCH", live.path("devices/" + host.name()), "{\"hosts\":[\"%s\",\"%s\"]}".formatted(host.name(), other))
          .expectStatus(200);
      var info =
          new HostInfo(
              """
              {"protocol_version":1,"boot_id":"boot-1","instance":"i-1","state":"running","at":"2026-11-25T12:00:00Z"}
              """,
              "0.1.0",
              "x86_64",
              List.of("script"),
              "boot-1",
              "i-1",
              "running",
              Map.of("os", "12"),
              Instant.now());
      assertThat(
              live.server()
                  .bean(HostRepository.class)
                  .recordInfo(LiveServer.TENANT, new HostId(other), info, List.of(), List.of()))
          .isEqualTo(RecordedInfo.RECORDED);
      String id = id();

      start(host, id, TO_2).expectStatus(201);

      JsonNode ended = awaitEnd(id);
      assertThat(ended.path("outcome").asString()).isEqualTo("upgraded");
      assertThat(ended.path("hosts").valueStream().map(each -> each.path("host").asString()))
          .containsExactly(host.name());
    }
  }

  @Test
  void validateStartsNothing() {
    try (StubHost host = live.newHost()) {
      String path = live.path("devices/" + host.name() + "/upgrades?validate=true");
      String id = id();

      TestResponse checked =
          live.tenant().operator().withHeader("Idempotency-Key", id).send("POST", path, TO_2).expectStatus(201);

      assertThat(checked.json().path("id").asString()).isEqualTo(id);
      live.tenant().viewer().get(live.path("upgrades/" + id)).expectStatus(404);
      live.tenant().viewer().send("POST", path, TO_2).expectStatus(403);
    }
  }

  @Test
  void anInstalledVersionEndsAsNoAction() {
    try (StubHost host = live.newHost()) {
      String id = id();
      start(host, id, "{\"package\":\"shopd\",\"version\":\"1.0\"}").expectStatus(201);

      JsonNode ended = awaitEnd(id);

      assertThat(ended.path("outcome").asString()).isEqualTo("no-action");
      assertThat(ended.path("timeline").toString()).isEqualTo("[]");
      assertThat(
              live.tenant()
                  .viewer()
                  .get(live.path("upgrades?outcome=no-action&device=" + host.name()))
                  .texts("items", "id"))
          .containsExactly(id);
    }
  }

  @Test
  void aRequestWithFaultsIsAnsweredWithAllOfThem() {
    try (StubHost host = live.newHost()) {
      assertThat(
              start(
                      host,
                      id(),
                      """
                      {"package":"Shop D","rollback_scope":"moon","not_after":"2020-01-01T00:00:00Z",
                       "host_soak_seconds":-1,"prepare":"now"}\
                      """)
                  .expectStatus(400)
                  .errors())
          .containsExactlyInAnyOrder(
              "/package: expected a name like ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$, found" + " \"Shop D\"",
              "/version: is missing: version is required",
              "/rollback_scope: expected one of host, device, none, found \"moon\"",
              "/not_after: expected a time in the future, at most 14 days from now",
              "/host_soak_seconds: expected 0 to 604800, found -1",
              "/prepare: unknown field; expected one of package, version, rollback_scope,"
                  + " not_after, allow_downgrade, host_soak_seconds, wait_for_window,"
                  + " ignore_windows, reason, on_close, required_time_seconds, require_approval,"
                  + " override_pin, step_timeouts");
      assertThat(start(host, "a/b", TO_2).expectStatus(400).errors().getFirst()).startsWith("Idempotency-Key: ");
      live.tenant().operator().send("POST", live.path("devices/none/upgrades"), TO_2).expectStatus(404);
      live.tenant().viewer().get(live.path("upgrades/none")).expectStatus(404);
      assertThat(live.tenant().viewer().get(live.path("upgrades?outcome=good")).expectStatus(400).errors().getFirst())
          .startsWith("outcome: expected one of no-action, ");
    }
  }
}
