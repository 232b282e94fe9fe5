package dev.uplift.cli.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.CommandScenario;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `uplift upgrade`: arguments in; requests, output and exit code out.
class UpgradeCommandsTest extends CommandScenario {
  private int upgrade(String... arguments) {
    return upliftIn("upgrade", arguments);
  }

  private int start(String... more) {
    List<String> all = new ArrayList<>(List.of("start", "gate", "--package=os", "--version=1.5"));
    all.addAll(List.of(more));
    return upgrade(all.toArray(String[]::new));
  }

  @Test
  void whoWaitsSaysHowItMeetsItsWindow() {
    stub.answers(201, "{\"id\":\"u-1\"}");

    assertThat(
            start(
                "--wait-for-window",
                "--on-window-close=stop-before-next-host",
                "--required-time=900",
                "--require-approval"))
        .as(err.toString())
        .isZero();

    assertThat(out.toString()).isEqualTo("u-1\n");
    assertThat(stub.requestLines())
        .containsExactly(
            """
            POST /v1/tenants/acme/devices/gate/upgrades {"package":"os","version":"1.5",\
            "wait_for_window":true,"on_close":"stop-before-next-host",\
            "required_time_seconds":900,"require_approval":true}\
            """);
  }

  @Test
  void whoForcesGivesTheReason() {
    stub.answers(201, "{\"id\":\"u-1\"}");

    assertThat(start("--ignore-windows", "--reason=a hole in TLS")).isZero();

    assertThat(stub.requestLines().getFirst()).endsWith("\"ignore_windows\":true,\"reason\":\"a hole in TLS\"}");
  }

  @Test
  void refusalTellsTheNextWindows() {
    stub.answers(
        409,
        """
        {"title":"Conflict","status":409,"errors":[],
         "detail":"gate cannot be changed now: it is outside of its windows. windows: Mon, Tue, Wed"}\
        """);

    assertThat(start()).isNotZero();

    assertThat(err.toString()).contains("outside of its windows", "windows: Mon, Tue, Wed");
  }

  @Test
  void deadlineIsExtendedAndApprovalsAreGivenAndDenied() {
    stub.answers(200, "{\"id\":\"u-1\",\"message\":\"may be begun until then\"}")
        .answers(200, "{\"id\":\"u-1\",\"message\":\"wait\"}")
        .answers(200, "{\"id\":\"u-1\",\"message\":\"wait\"}");

    assertThat(upgrade("extend-deadline", "u-1", "--not-after=2026-12-24T18:00:00Z")).isZero();
    assertThat(upgrade("approve", "u-1", "--reason=seen it run")).isZero();
    assertThat(upgrade("deny", "u-1")).isZero();

    assertThat(out.toString()).startsWith("extend-deadline is accepted: may be begun until then\n");
    assertThat(stub.requestLines())
        .containsExactly(
            "POST /v1/tenants/acme/upgrades/u-1/extend-deadline" + " {\"not_after\":\"2026-12-24T18:00:00Z\"}",
            "POST /v1/tenants/acme/upgrades/u-1/approve {\"reason\":\"seen it run\"}",
            "POST /v1/tenants/acme/upgrades/u-1/deny {}");
  }
}
