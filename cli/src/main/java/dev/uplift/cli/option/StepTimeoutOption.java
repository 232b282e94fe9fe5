package dev.uplift.cli.option;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// How long steps may take, by their names.
public final class StepTimeoutOption {
  private static final List<String> STEPS = List.of("prepare", "upgrade", "reboot", "await-heartbeat", "rollback");
  private static final long MAX_SECONDS = 604_800;

  @Option(
      names = "--step-timeout",
      paramLabel = "STEP=SECONDS",
      description = {
        "How long a step may take, such as upgrade=7200; may be repeated. Steps: prepare, upgrade,",
        "reboot, await-heartbeat, rollback. Default: the release's, else the server's."
      })
  @Nullable Map<String, Long> seconds;

  /// Sets the given ones in the field `step_timeouts`.
  public void addTo(ObjectNode body) {
    var fields = new RequestFields(body);
    seconds().forEach((step, time) -> fields.put("step_timeouts", step.replace('-', '_') + "_seconds", time));
  }

  /// Returns the given ones as `release.json` has them.
  public ObjectNode toReleaseJson() {
    ObjectNode json = RestClient.JSON.createObjectNode();
    seconds().forEach((step, time) -> json.put(step.replace('-', '_') + "_s", time));
    return json;
  }

  private Map<String, Long> seconds() {
    Map<String, Long> given = seconds == null ? Map.of() : new LinkedHashMap<>(seconds);
    given.forEach((step, time) -> {
      if (!STEPS.contains(step)) {
        throw CliException.usageError(
            "--step-timeout %s: expected one of %s".formatted(step, String.join(", ", STEPS)));
      }
      if (time < 1 || time > MAX_SECONDS) {
        throw CliException.usageError(
            "--step-timeout %s=%d: expected 1 to %d seconds".formatted(step, time, MAX_SECONDS));
      }
    });
    return given;
  }
}
