package dev.uplift.api.settings;

import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.UpgradeTimeouts;
import dev.uplift.workflows.rollout.RolloutTimeouts;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/// How long steps may take, where somebody wants it otherwise than usual: tests, and fleets with
/// very slow links.
final class TimeoutSettingsReader {
  private static final String PREFIX = "UPLIFT_TIMEOUTS_";
  private static final String ROLLOUT_HEARTBEAT = "UPLIFT_ROLLOUTS_HEARTBEAT_TIMEOUT";

  private TimeoutSettingsReader() {}

  static EnvironmentReader.Value<UpgradeTimeouts> read(EnvironmentReader in) {
    Map<Step, EnvironmentReader.Value<Duration>> within = new EnumMap<>(Step.class);
    UpgradeTimeouts.DEFAULTS.stepTimeout().forEach((step, usual) -> within.put(step, durationVariable(in, step.name(), usual)));
    var resend = durationVariable(in, "RESEND_INTERVAL", UpgradeTimeouts.DEFAULTS.resendInterval());
    var resendAtMost = durationVariable(in, "MAX_RESEND_INTERVAL", UpgradeTimeouts.DEFAULTS.maxResendInterval());
    var backOff = durationVariable(in, "RETRY_BACKOFF", UpgradeTimeouts.DEFAULTS.backOff());
    var abortGrace = durationVariable(in, "ABORT_GRACE", UpgradeTimeouts.DEFAULTS.cancelGrace());
    return in.build(
        PREFIX + "*",
        () ->
            new UpgradeTimeouts(
                values(within),
                resend.get(),
                max(resend.get(), resendAtMost.get()),
                backOff.get(),
                abortGrace.get()));
  }

  static EnvironmentReader.Value<RolloutTimeouts> readRollouts(EnvironmentReader in) {
    RolloutTimeouts usual = RolloutTimeouts.DEFAULTS;
    var beat = in.value(ROLLOUT_HEARTBEAT, usual.heartbeatTimeout().toString(), TimeoutSettingsReader::parseDuration);
    return in.build(
        ROLLOUT_HEARTBEAT, () -> new RolloutTimeouts(usual.maxRun(), beat.get(), usual.maxIdle()));
  }

  private static Map<Step, Duration> values(Map<Step, EnvironmentReader.Value<Duration>> within) {
    Map<Step, Duration> values = new EnumMap<>(Step.class);
    within.forEach((step, value) -> values.put(step, value.get()));
    return Map.copyOf(values);
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static EnvironmentReader.Value<Duration> durationVariable(EnvironmentReader in, String name, Duration usual) {
    return in.value(PREFIX + name, usual.toString(), TimeoutSettingsReader::parseDuration);
  }

  static Duration parseDuration(String text) {
    try {
      Duration duration = Duration.parse(text);
      if (duration.isPositive()) {
        return duration;
      }
    } catch (DateTimeException _) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "expected a duration such as PT30S or PT1H, found %s".formatted(text));
  }
}
