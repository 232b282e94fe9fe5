package dev.uplift.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.CommandScenario;
import org.junit.jupiter.api.Test;

/// `uplift device`: arguments in; requests, output and exit code out.
final class DeviceCommandsTest extends CommandScenario {
  @Test
  void failuresOfASelectionAreCleared() {
    String[] line = {
      "clear-failures-all", "--selection=hosts > 1", "--package=os", "--version=1.5", "--reason=no power"
    };
    stub.answers(200, "{\"cleared\":3}");
    assertThat(upliftIn("device", line)).as(err.toString()).isZero();

    assertThat(out.toString()).isEqualTo("cleared: 3 failures of os 1.5\n");
    assertThat(stub.requestLines())
        .containsExactly(
            """
            POST /v1/tenants/acme/clear-failures {"selection":"hosts > 1","package":"os","version":"1.5",\
            "reason":"no power"}\
            """);
  }
}
