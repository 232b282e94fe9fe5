package dev.uplift.cli.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.CommandScenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `uplift rollout`: arguments in; requests, output and exit code out.
class RolloutCommandsTest extends CommandScenario {
  @Test
  void aRolloutIsMadeOfOptions() {
    stub.answers(201, "{\"id\":\"north\"}");

    assertThat(
            rollout(
                "create",
                "--id=north",
                "--package=os",
                "--version=1.5.0",
                "--selection=labels.region == 'north'",
                "--wave=1",
                "--wave=10%",
                "--wave=per:site",
                "--wave=labels.ring == 'late'",
                "--wave=rest",
                "--max-failures=3",
                "--ignore-windows=security"))
        .as(err.toString())
        .isZero();

    assertThat(out.toString()).isEqualTo("north\n");
    assertThat(stub.requestLines())
        .containsExactly(
            """
            POST /v1/tenants/acme/rollouts {"package":"os","version":"1.5.0",\
            "selection":"labels.region == 'north'",\
            "waves":[{"count":1},{"percent":10},{"each_value_of":"site"},\
            {"expression":"labels.ring == 'late'"},{"rest":true}],\
            "thresholds":{"failures":3},"window":{"mode":"ignore","reason":"security"}}\
            """);
  }

  @Test
  void optionsWinOverTheFileWithThePlan() throws IOException {
    Path plan =
        Files.writeString(
            folder.resolve("plan.json"), "{\"package\":\"os\",\"version\":\"1.4\",\"limits\":{\"per_minute\":5}}");
    stub.answers(201, "{\"id\":\"north\"}");

    assertThat(rollout("create", "--plan=" + plan, "--version=1.5", "--max-parallel=7", "--draft")).isZero();

    assertThat(stub.requestLines().getFirst())
        .endsWith(
            """
            {"package":"os","version":"1.5","limits":{"per_minute":5,"max_parallel":7},\
            "draft":true}\
            """);
  }

  @Test
  void validateShowsWavesAndWhoIsLeftOut() {
    String preview =
        """
        {"id":"x","devices":3,"first_start_at":"2026-11-21T12:00:00Z",
         "last_window_opens_at":"2026-11-22T02:30:00Z",
         "waves":[{"number":1,"title":"1 device","devices":1,"sample":["d1"]},
                  {"number":2,"title":"the rest","devices":2,"sample":["d0","d2"]}],
         "excluded_by_reason":{"held":1},
         "excluded_devices":[{"device":"d3","reason":"held","message":"trade fair"}],
         "warnings":["1 device has no label region"]}\
        """;
    stub.answers(200, preview).answers(200, preview);

    assertThat(rollout("validate", "--package=os", "--version=1", "--selection=true")).isZero();

    assertThat(out.toString())
        .isEqualTo(
            """
            3 devices; the first may start 2026-11-21T12:00:00Z, the last window \
            opens 2026-11-22T02:30:00Z

            WAVE  TITLE     DEVICES  FIRST DEVICES
            1     1 device  1        d1
            2     the rest  2        d0,d2

            excluded: held 1

            EXCLUDED  REASON  MESSAGE
            d3        held    trade fair

            warning: 1 device has no label region
            """);
    assertThat(rollout("create", "--package=os", "--version=1", "--dry-run")).isZero();
    assertThat(stub.requestLines())
        .allSatisfy(asked -> assertThat(asked).startsWith("POST /v1/tenants/acme/rollouts?validate=true "));
  }

  @Test
  void validateShowsEveryRuleInForce() {
    stub.answers(
        200,
        """
        {"id":"x","devices":3,"first_start_at":"2026-11-21T12:00:00Z","waves":[],"warnings":[],
         "plan":{"limits":{"max_parallel":100,"per_minute":null},
                 "thresholds":{"success_percent":95,"by_outcome":{"stranded":1}}},
         "step_timeouts":{"upgrade_seconds":7200}}\
        """);

    assertThat(rollout("validate", "--package=os", "--version=1", "--selection=true")).isZero();

    assertThat(out.toString())
        .endsWith(
            """
            RULE                           VALUE
            limits.max_parallel            100
            limits.per_minute              no limit
            thresholds.success_percent     95
            thresholds.by_outcome          {"stranded":1}
            step_timeouts.upgrade_seconds  7200
            """);
  }

  @Test
  void stepTimeoutsAreGivenByTheNamesOfSteps() {
    stub.answers(200, "{}");
    assertThat(
            rollout(
                "create",
                "--package=os",
                "--version=1",
                "--step-timeout=upgrade=7200",
                "--step-timeout=await-heartbeat=900"))
        .isZero();
    assertThat(stub.requestLines().getFirst())
        .contains("\"step_timeouts\":{\"upgrade_seconds\":7200,\"await_heartbeat_seconds\":900}");

    assertThat(rollout("create", "--package=os", "--version=1", "--step-timeout=inspect=1")).isEqualTo(2);
    assertThat(rollout("create", "--package=os", "--version=1", "--step-timeout=upgrade=0")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--step-timeout inspect: expected one of prepare, upgrade, reboot, await-heartbeat, rollback")
        .contains("--step-timeout upgrade=0: expected 1 to 604800 seconds");
  }

  @Test
  void destructiveActionsNeedAConfirmation() {
    for (String what : List.of("abort", "roll-back", "skip-remaining")) {
      assertThat(rollout(what, "north")).isEqualTo(2);
    }
    assertThat(err.toString()).contains("uplift: This aborts the rollout north: needs --yes,");
    assertThat(stub.requestLines()).isEmpty();

    stub.answers(200, "{\"id\":\"north\",\"message\":\"it ends\"}");
    assertThat(rollout("abort", "north", "--abort-running", "--yes", "--reason=wrong one")).isZero();
    assertThat(out.toString()).isEqualTo("it ends\n");
    assertThat(stub.requestLines().getFirst())
        .isEqualTo("POST /v1/tenants/acme/rollouts/north/abort {\"abort_running\":true,\"reason\":\"wrong" + " one\"}");
  }

  @Test
  void actionsAreSentUnchangedToTheServer() {
    List<List<String>> words =
        List.of(
            List.of("pause", "north"),
            List.of("resume", "north"),
            List.of("approve", "north", "--revision=7", "--reason=well"),
            List.of("next-wave", "north", "--dry-run"),
            List.of("retry-failed", "north", "--code=disk-full"),
            List.of("skip", "north", "d1", "d3"),
            List.of("add", "north", "d2"),
            List.of("roll-back", "north", "--wave=2", "--yes"));
    for (List<String> word : words) {
      stub.answers(200, "{\"id\":\"north\",\"message\":\"done\"}");
      assertThat(rollout(word.toArray(String[]::new))).as(word + err.toString()).isZero();
    }

    String north = "POST /v1/tenants/acme/rollouts/north/";
    assertThat(stub.requestLines())
        .containsExactly(
            north + "pause {}",
            north + "resume {}",
            north + "approve {\"revision\":7,\"reason\":\"well\"}",
            north + "next-wave?validate=true {}",
            north + "retry-failed {\"error_codes\":[\"disk-full\"]}",
            north + "skip-devices {\"devices\":[\"d1\",\"d3\"]}",
            north + "devices {\"devices\":[\"d2\"]}",
            north + "roll-back-wave {\"wave\":2}");
  }

  @Test
  void whatIsRefusedIsOneLineAndExitCodeOne() {
    stub.answers(409, "{\"title\":\"Conflict\",\"detail\":\"the rollout is paused; possible now: resume\"}");

    assertThat(rollout("pause", "north")).isEqualTo(1);

    assertThat(err.toString()).isEqualTo("uplift: the rollout is paused; possible now: resume\n");
  }

  @Test
  void listAndDecisionsAreTables() {
    stub.answers(
        200,
        """
        {"items":[{"id":"north","package":"os","version":"1.5","state":"paused","current_wave":2,"wave_count":3,
          "created_at":"2026-11-21T12:00:00Z","created_by":"ann",
          "waiting_for":{"message":"ann says resume"}}]}\
        """);
    stub.answers(
        200,
        """
        {"items":[{"number":1,"decided_at":"2026-11-21T12:00:09Z","wave":2,"decision":"pause","actor":"uplift",
          "message":"2 failures"}]}\
        """);

    assertThat(rollout("list")).isZero();
    assertThat(rollout("decisions", "north")).isZero();

    assertThat(out.toString())
        .isEqualTo(
            """
            ROLLOUT  RELEASE  STATE   WAVE    CREATED               BY   WAITING FOR
            north    os 1.5   paused  2 of 3  2026-11-21T12:00:00Z  ann  ann says resume
            AT                    WAVE  DECISION  BY      WHY
            2026-11-21T12:00:09Z  2     pause     uplift  2 failures
            """);
  }

  @Test
  void theNextOpeningsOfADeviceAreATable() {
    stub.answers(
        200,
        """
        {"device":"gate","message":"closed; opens next: Sun","next_openings":[
          {"opens_at":"2026-11-22T01:00:00Z","closes_at":"2026-11-22T05:00:00Z",
           "local_opens_at":"2026-11-22T02:00+01:00","local_closes_at":"2026-11-22T06:00+01:00"}]}\
        """);

    assertThat(uplift("device", "windows", "gate", "--count=1")).isZero();

    assertThat(stub.requestLines()).containsExactly("GET /v1/tenants/acme/devices/gate/windows?count=1");
    assertThat(out.toString()).startsWith("closed; opens next: Sun\n\nOPENS ");
    assertThat(out.toString()).contains("2026-11-22T02:00+01:00", "2026-11-22T01:00:00Z");
  }

  private int rollout(String... arguments) {
    return upliftIn("rollout", arguments);
  }
}
