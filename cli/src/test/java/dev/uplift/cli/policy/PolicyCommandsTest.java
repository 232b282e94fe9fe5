package dev.uplift.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.CommandScenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// `uplift policy`: arguments in; requests, output and exit code out.
final class PolicyCommandsTest extends CommandScenario {
  /// OH-119.
  @Test
  void aPolicyThatMayTakeEverythingIsAskedAbout() {
    String[] put = {"put", "os", "--package=os", "--channel=stable", "--selection=true", "--everything"};
    assertThat(policy(put)).isEqualTo(2);
    assertThat(policy("update", "os", "--everything")).isEqualTo(2);
    assertThat(err.toString()).contains("The policy may apply to all devices: needs --yes,");
    assertThat(stub.requestLines()).isEmpty();

    stub.answers(201, "{\"name\":\"os\"}");
    assertThat(policy("put", "os", "--package=os", "--channel=stable", "--selection=true", "--everything", "--yes"))
        .isZero();
    assertThat(stub.requestLines())
        .containsExactly(
            """
            PUT /v1/tenants/acme/policies/os {"package":"os","selection":"true","everything":true,\
            "target":{"channel":"stable"}}\
            """);
  }

  /// OH-119.
  @Test
  void aPolicyOfAFileThatMayTakeEverythingIsAskedAbout() throws IOException {
    Path file = folder.resolve("policy.json");
    Files.writeString(
        file, "{\"package\":\"os\",\"selection\":\"true\",\"everything\":true,\"target\":{\"channel\":\"stable\"}}");

    assertThat(policy("put", "os", "--policy=" + file)).isEqualTo(2);
    assertThat(policy("update", "os", "--policy=" + file)).isEqualTo(2);

    assertThat(err.toString()).contains("The policy may apply to all devices: needs --yes,");
    assertThat(stub.requestLines()).isEmpty();
    stub.answers(200, "{\"name\":\"os\"}");
    assertThat(policy("put", "os", "--policy=" + file, "--dry-run")).as(err.toString()).isZero();
  }

  @Test
  void aDryRunShowsWhatThePolicyWouldBeginAndWhichPoliciesDisagree() {
    String preview =
        """
        {"version":"7.2","devices":2,"due":2,"counts":{"waiting":2},"overruled_by":["north"],"overrules":["a","b"],
         "waves":[{"number":1,"title":"1 device","devices":1,"sample":["gate"]}],"warnings":["is new"],"policy":{}}\
        """;
    String[][] lines = {
      {"put", "os", "--package=os", "--channel=stable", "--selection=hosts > 1", "--dry-run"},
      {"update", "os", "--priority=3", "--dry-run"},
      {"enable", "os", "--dry-run"}
    };
    for (String[] line : lines) {
      stub.answers(200, preview);
      out.getBuffer().setLength(0);

      assertThat(policy(line)).as(err.toString()).isZero();

      assertThat(out.toString())
          .isEqualTo(
              """
              would begin with 2 devices
              version 7.2, 2 devices: 2 waiting
              overruled by north
              overrules a,b
              wave 1, 1 device: 1 device, gate
              warning: is new
              """);
    }
  }

  @Test
  void aPolicyWithoutATargetIsAnsweredWithTheOptionsThatNameOne() {
    assertThat(policy("put", "os", "--package=os", "--selection=hosts > 1")).isEqualTo(2);

    assertThat(err.toString()).contains("needs --version, --at-least, --channel, --offered,");
    assertThat(stub.requestLines()).isEmpty();
  }

  @Test
  void runsAreTakenAwayFromAPolicy() {
    stub.answers(200, "{\"name\":\"os\"}");

    assertThat(policy("update", "os", "--no-cron", "--priority=3")).as(err.toString()).isZero();

    assertThat(stub.requestLines())
        .containsExactly("PATCH /v1/tenants/acme/policies/os {\"priority\":3,\"cron\":null,\"cron_zone\":null}");
  }

  @Test
  void aPolicyIsShownWithAllThatItAsksFor() {
    stub.answers(
        200,
        """
        {"name":"os","package":"os","enabled":true,"enabled_at":"2026-11-20T10:00:00.5Z","priority":0,"version":3,
         "description":"Agreed with the north.\\nSee it.","changed_at":"2026-11-20T10:00:00Z","changed_by":"ann",
         "policy":{"target":{"at_least":"1.4"},"selection":"true","fallback":true,"cron":"0 22 * * 6","cron_zone":"UTC",
          "start_at":"2026-12-01T22:00:00Z","unknown_version":"leave",
          "rollout":{"waves":[{"count":1,"gate":"automatic","soak_seconds":3600},{"percent":10,"gate":"approval"},
            {"expression":"labels.ring == 'late'","soak_seconds":0},{"rest":true,"max_parallel":5}],
           "windows":[{"days_of_week":["sun"],"start_time":"02:00","duration":"4h","timezone":"site-local"}],
           "limits":{"max_parallel":20,"per_minute":null}}}}
        """);

    assertThat(policy("show", "os")).as(err.toString()).isZero();

    assertThat(out.toString())
        .isEqualTo(
            """
            POLICY           os
            description      Agreed with the north. See it.
            package          os
            target           >= 1.4
            enabled          yes, since 2026-11-20T10:00:00Z
            selection        true
            fallback         yes
            priority         0
            begins           in runs, at 0 22 * * 6 UTC, not before 2026-12-01T22:00:00Z
            unknown version  leave
            waves            1,soak=3600; 10%,gate=approval; labels.ring == 'late'; rest,max-parallel=5
            windows          sun 02:00 4h site-local
            changed          2026-11-20T10:00:00Z by ann
            version          3

            RULE                 VALUE
            limits.max_parallel  20
            limits.per_minute    no limit
            """);
  }

  @Test
  void theStatusOfAPolicyNamesItsRolloutsAndTheStatesThatDevicesAreIn() {
    stub.answers(
        200,
        """
        {"name":"os","enabled":true,"complete":false,"version":"7.2","devices":1,
         "counts":{"blocked":0,"in-progress":1,"satisfied":0},
         "not_satisfied":[{"device":"a","state":"in-progress","reason":"upgrading","message":"its upgrade runs"}],
         "rollouts":[{"id":"os-7-2","version":"7.2","state":"running","created_at":"2026-11-20T10:00:00Z"},
          {"id":"os-7-1","version":"7.1","state":"completed","outcome":"partial",
           "created_at":"2026-11-19T10:00:00Z","ended_at":"2026-11-19T11:00:00Z"}]}
        """);

    assertThat(policy("status", "os")).as(err.toString()).isZero();

    assertThat(out.toString())
        .isEqualTo(
            """
            enabled, not complete
            version 7.2, 1 device: 1 in-progress

            DEVICE  STATE        REASON     MESSAGE
            a       in-progress  upgrading  its upgrade runs

            ROLLOUT  VERSION  STATE    CREATED               ENDED
            os-7-2   7.2      running  2026-11-20T10:00:00Z  -
            os-7-1   7.1      partial  2026-11-19T10:00:00Z  2026-11-19T11:00:00Z
            """);
  }

  private int policy(String... arguments) {
    return upliftIn("policy", arguments);
  }
}
