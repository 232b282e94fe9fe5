package dev.uplift.api.settings;

import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.Pace;
import dev.uplift.workflows.rollout.RolloutPace;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/// How long steps may take, where somebody wants it otherwise than usual: tests, and fleets with
/// very slow links.
final class PaceSettings {
  private static final String PREFIX = "UPLIFT_PACE_";

  private PaceSettings() {}

  static Variables.Value<Pace> read(Variables in) {
    Map<Step, Variables.Value<Duration>> within = new EnumMap<>(Step.class);
    Pace.USUAL.within().forEach((step, usual) -> within.put(step, of(in, step.name(), usual)));
    var resend = of(in, "RESEND", Pace.USUAL.resend());
    var resendAtMost = of(in, "RESEND_AT_MOST", Pace.USUAL.resendAtMost());
    var backOff = of(in, "BACK_OFF", Pace.USUAL.backOff());
    var abortGrace = of(in, "ABORT_GRACE", Pace.USUAL.abortGrace());
    return in.made(
        PREFIX + "*",
        () ->
            new Pace(
                values(within),
                resend.get(),
                longer(resend.get(), resendAtMost.get()),
                backOff.get(),
                abortGrace.get()));
  }

  static Variables.Value<RolloutPace> rollouts(Variables in) {
    RolloutPace usual = RolloutPace.USUAL;
    var beat = of(in, "TICK_BEAT", usual.beat());
    return in.made(
        PREFIX + "TICK_BEAT", () -> new RolloutPace(usual.box(), beat.get(), usual.rest()));
  }

  private static Map<Step, Duration> values(Map<Step, Variables.Value<Duration>> within) {
    Map<Step, Duration> values = new EnumMap<>(Step.class);
    within.forEach((step, value) -> values.put(step, value.get()));
    return Map.copyOf(values);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static Variables.Value<Duration> of(Variables in, String name, Duration usual) {
    return in.value(PREFIX + name, usual.toString(), PaceSettings::duration);
  }

  static Duration duration(String text) {
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
