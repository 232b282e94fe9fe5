package dev.uplift.fleet.rollout.plan;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.Phrases;
import dev.uplift.fleet.rollout.plan.WaveSize.Percent;
import dev.uplift.fleet.rollout.plan.WaveSize.Rest;
import dev.uplift.fleet.window.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The plan of a rollout. It may hold anything; its violations are asked for before it is stored.
///
/// @param selection expression that is true of the devices that take part
/// @param everything whether it is confirmed that this may be all devices of the tenant
/// @param waves in their order; none: [WaveSpec#defaults]
/// @param lateJoiners whether devices that match later are taken in, under the same rules
/// @param startAt not before; empty: at once
/// @param notAfter no device is begun past this; empty: no deadline
/// @param priority the higher one gets a device that two rollouts want
/// @param windows of the rollout itself: a device is touched only where its own windows, those of its labels and these
///   are open; none: these do not count
public record RolloutPlan(
    Release release,
    String selection,
    boolean everything,
    List<WaveSpec> waves,
    RolloutLimits limits,
    Thresholds thresholds,
    RetryPolicy retries,
    WindowRule window,
    boolean lateJoiners,
    Optional<Instant> startAt,
    Optional<Instant> notAfter,
    int priority,
    OnBusy onBusy,
    List<Window> windows) {
  public static final int MAX_WAVES = 100;

  private static final int MAX_SELECTION_CHARS = 2000;
  private static final int MAX_PRIORITY = 1000;

  public RolloutPlan {
    waves = List.copyOf(waves);
    // There were plans without the field.
    windows = windows == null ? List.of() : List.copyOf(windows);
  }

  /// One without windows of its own.
  public RolloutPlan(
      Release release,
      String selection,
      boolean everything,
      List<WaveSpec> waves,
      RolloutLimits limits,
      Thresholds thresholds,
      RetryPolicy retries,
      WindowRule window,
      boolean lateJoiners,
      Optional<Instant> startAt,
      Optional<Instant> notAfter,
      int priority,
      OnBusy onBusy) {
    this(
        release,
        selection,
        everything,
        waves,
        limits,
        thresholds,
        retries,
        window,
        lateJoiners,
        startAt,
        notAfter,
        priority,
        onBusy,
        List.of());
  }

  public RolloutPlan withWaves(List<WaveSpec> others) {
    return with(selection, others, limits, thresholds, retries, windows);
  }

  public RolloutPlan withWindows(List<Window> others) {
    return with(selection, waves, limits, thresholds, retries, others);
  }

  /// The plan for the devices of another selection.
  public RolloutPlan withSelection(String other) {
    return with(other, waves, limits, thresholds, retries, windows);
  }

  /// The plan under other rules.
  public RolloutPlan withRules(RolloutLimits rolloutLimits, Thresholds thresholds, RetryPolicy retryPolicy) {
    return with(selection, waves, rolloutLimits, thresholds, retryPolicy, windows);
  }

  private RolloutPlan with(
      String selection,
      List<WaveSpec> waves,
      RolloutLimits rolloutLimits,
      Thresholds thresholds,
      RetryPolicy retryPolicy,
      List<Window> windows) {
    return new RolloutPlan(
        release,
        selection,
        everything,
        waves,
        rolloutLimits,
        thresholds,
        retryPolicy,
        window,
        lateJoiners,
        startAt,
        notAfter,
        priority,
        onBusy,
        windows);
  }

  /// One that says nothing but what and where: safe by default.
  public static RolloutPlan defaults(Release release, String selection) {
    return new RolloutPlan(
        release,
        selection,
        false,
        List.of(),
        RolloutLimits.DEFAULTS,
        Thresholds.DEFAULTS,
        RetryPolicy.NONE,
        WindowRule.DEFAULTS,
        false,
        Optional.empty(),
        Optional.empty(),
        0,
        OnBusy.WAIT);
  }

  /// All that is wrong with it, as far as that can be said without looking at devices; the rest is
  /// [#selectionViolation] and [WaveAssignment].
  public List<PlanViolation> violations(Instant now) {
    ViolationCollector violations = ViolationCollector.create();
    checkSelection(violations);
    checkWaves(violations);
    limits.validate(violations.under("limits"));
    thresholds.validate(violations.under("thresholds"));
    retries.validate(violations.under("retries"));
    window.validate(violations.under("window"));
    checkTimes(violations, now);
    violations.requireWithin(-MAX_PRIORITY, MAX_PRIORITY, "priority", priority);
    return violations.violations();
  }

  /// The violation in the number of selected devices, if any.
  ///
  /// @param selected so many devices
  /// @param all of so many
  public Optional<PlanViolation> selectionViolation(int selected, int all) {
    if (selected == 0) {
      return Optional.of(
          new PlanViolation(
              "/selection",
              "takes none of the %s; expected one that is true of at least one".formatted(Phrases.devices(all))));
    }
    if (selected == all && all > 1 && !everything) {
      return Optional.of(
          new PlanViolation(
              "/everything",
              "the selection takes all %s; expected true to confirm that".formatted(Phrases.devices(all))));
    }
    return Optional.empty();
  }

  private void checkSelection(ViolationCollector violations) {
    violations.requireNotBlank("selection", selection, "one such as labels.region == 'north'");
    violations.require(
        selection.length() <= MAX_SELECTION_CHARS,
        "selection",
        "expected at most %d characters, found %d".formatted(MAX_SELECTION_CHARS, selection.length()));
  }

  private void checkWaves(ViolationCollector violations) {
    violations.require(
        waves.size() <= MAX_WAVES, "waves", "expected at most %d waves, found %d".formatted(MAX_WAVES, waves.size()));
    int percent = 0;
    for (int i = 0; i < waves.size(); i++) {
      ViolationCollector wave = violations.under("waves/" + i);
      WaveSpec spec = waves.get(i);
      spec.validate(wave);
      if (spec.size() instanceof Rest) {
        wave.require(i == waves.size() - 1, "rest", "leaves nothing to later waves; expected it last");
      }
      if (spec.size() instanceof Percent(int share)) {
        boolean fitted = percent <= 100;
        percent += share;
        wave.require(
            !fitted || percent <= 100 || share > 100,
            "percent",
            "makes %d %% with the waves before it; expected at most 100 together".formatted(percent));
      }
    }
  }

  private void checkTimes(ViolationCollector violations, Instant now) {
    notAfter.ifPresent(end -> {
      violations.require(end.isAfter(now), "not_after", "%s is past; expected a time in the future".formatted(end));
      startAt.ifPresent(start ->
          violations.require(
              start.isBefore(end),
              "start_at",
              "%s is not before the deadline; expected a time before %s".formatted(start, end)));
      for (int i = 0; i < waves.size(); i++) {
        if (waves.get(i).gate() instanceof Gate.Time(Instant opens)) {
          violations
              .under("waves/" + i)
              .require(
                  opens.isBefore(end),
                  "not_before",
                  "%s is not before the deadline; expected a time before %s".formatted(opens, end));
        }
      }
      Duration soak = waves.stream().map(WaveSpec::soak).reduce(Duration.ZERO, Duration::plus);
      violations.require(
          soak.isZero() || now.plus(soak).isBefore(end),
          "not_after",
          "the waves soak for %s in all; expected a deadline after %s".formatted(soak, now.plus(soak)));
    });
  }
}
