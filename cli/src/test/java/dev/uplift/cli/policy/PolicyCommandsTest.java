package dev.uplift.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.CommandScenario;
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

  @Test
  void runsAreTakenAwayFromAPolicy() {
    stub.answers(200, "{\"name\":\"os\"}");

    assertThat(policy("update", "os", "--no-cron", "--priority=3")).as(err.toString()).isZero();

    assertThat(stub.requestLines())
        .containsExactly("PATCH /v1/tenants/acme/policies/os {\"priority\":3,\"cron\":null,\"cron_zone\":null}");
  }

  @Test
  void aPolicyIsShownWithItsDescription() {
    stub.answers(
        200,
        """
        {"name":"os","package":"os","enabled":true,"priority":0,"description":"Agreed with the north.\\nSee it.",
         "policy":{"target":{"at_least":"1.4"},"selection":"true"},"changed_at":"2026-11-20T10:00:00Z","changed_by":"ann"}
        """);

    assertThat(policy("show", "os")).as(err.toString()).isZero();

    assertThat(out.toString())
        .isEqualTo(
            """
            NAME  PACKAGE  TARGET  ENABLED  PRIORITY  SELECTION  CHANGED               BY
            os    os       >= 1.4  yes      0         true       2026-11-20T10:00:00Z  ann

            Agreed with the north. See it.
            """);
  }

  private int policy(String... arguments) {
    return upliftIn("policy", arguments);
  }
}
