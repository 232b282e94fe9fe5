package dev.uplift.fleet.rollout;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.WaveSize.Percent;
import dev.uplift.fleet.rollout.WaveSize.Rest;
import dev.uplift.fleet.window.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What somebody wants of a rollout. It may hold anything; what is wrong with it is asked for
/// before it is stored.
///
/// @param selection expression that is true of the devices that take part
/// @param everything whether it is confirmed that this may be all devices of the tenant
/// @param waves in their order; none: [WaveSpec#usual]
/// @param lateJoiners whether devices that match later are taken in, under the same rules
/// @param startAt not before; empty: at once
/// @param notAfter no device is begun past this; empty: no deadline
/// @param priority the higher one gets a device that two rollouts want
/// @param windows of the rollout itself: a device is touched only where its own windows, those of
///   its labels and these are open; none: these do not count
public record RolloutPlan(
    Release release,
    String selection,
    boolean everything,
    List<WaveSpec> waves,
    Limits limits,
    Thresholds thresholds,
    Retries retries,
    WindowRule window,
    boolean lateJoiners,
    Optional<Instant> startAt,
    Optional<Instant> notAfter,
    int priority,
    OnBusy onBusy,
    List<Window> windows) {
  public static final int MOST_WAVES = 100;

  private static final int LONGEST_SELECTION = 2000;
  private static final int HIGHEST_PRIORITY = 1000;

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
      Limits limits,
      Thresholds thresholds,
      Retries retries,
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
    return with(others, limits, thresholds, retries, windows);
  }

  public RolloutPlan withWindows(List<Window> others) {
    return with(waves, limits, thresholds, retries, others);
  }

  /// The same under other rules.
  public RolloutPlan under(Limits limits, Thresholds thresholds, Retries retries) {
    return with(waves, limits, thresholds, retries, windows);
  }

  private RolloutPlan with(
      List<WaveSpec> waves,
      Limits limits,
      Thresholds thresholds,
      Retries retries,
      List<Window> windows) {
    return new RolloutPlan(
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
        windows);
  }

  /// One that says nothing but what and where: safe by default.
  public static RolloutPlan usual(Release release, String selection) {
    return new RolloutPlan(
        release,
        selection,
        false,
        List.of(),
        Limits.USUAL,
        Thresholds.USUAL,
        Retries.NONE,
        WindowRule.USUAL,
        false,
        Optional.empty(),
        Optional.empty(),
        0,
        OnBusy.WAIT);
  }

  /// All that is wrong with it, as far as that can be said without looking at devices; the rest is
  /// [#faultOf] and [WaveAssignment].
  public List<Fault> faults(Instant now) {
    Faults faults = Faults.none();
    checkSelection(faults);
    checkWaves(faults);
    limits.check(faults.in("limits"));
    thresholds.check(faults.in("thresholds"));
    retries.check(faults.in("retries"));
    window.check(faults.in("window"));
    checkTimes(faults, now);
    faults.within(-HIGHEST_PRIORITY, HIGHEST_PRIORITY, "priority", priority);
    return faults.all();
  }

  /// What is wrong with what the selection takes.
  ///
  /// @param selected so many devices
  /// @param all of so many
  public Optional<Fault> faultOf(int selected, int all) {
    if (selected == 0) {
      return Optional.of(
          new Fault(
              "/selection",
              "takes none of the %s; expected one that is true of at least one"
                  .formatted(Words.devices(all))));
    }
    if (selected == all && all > 1 && !everything) {
      return Optional.of(
          new Fault(
              "/everything",
              "the selection takes all %s; expected true to confirm that"
                  .formatted(Words.devices(all))));
    }
    return Optional.empty();
  }

  private void checkSelection(Faults faults) {
    faults.notBlank("selection", selection, "one such as labels.region == 'north'");
    faults.expect(
        selection.length() <= LONGEST_SELECTION,
        "selection",
        "expected at most %d characters, found %d"
            .formatted(LONGEST_SELECTION, selection.length()));
  }

  private void checkWaves(Faults faults) {
    faults.expect(
        waves.size() <= MOST_WAVES,
        "waves",
        "expected at most %d waves, found %d".formatted(MOST_WAVES, waves.size()));
    int percent = 0;
    for (int i = 0; i < waves.size(); i++) {
      Faults wave = faults.in("waves/" + i);
      WaveSpec spec = waves.get(i);
      spec.check(wave);
      if (spec.size() instanceof Rest) {
        wave.expect(
            i == waves.size() - 1, "rest", "leaves nothing to later waves; expected it last");
      }
      if (spec.size() instanceof Percent(int share)) {
        boolean fitted = percent <= 100;
        percent += share;
        wave.expect(
            !fitted || percent <= 100 || share > 100,
            "percent",
            "makes %d %% with the waves before it; expected at most 100 together"
                .formatted(percent));
      }
    }
  }

  private void checkTimes(Faults faults, Instant now) {
    notAfter.ifPresent(end -> {
      faults.expect(
          end.isAfter(now), "not_after", "%s is past; expected a time to come".formatted(end));
      startAt.ifPresent(start ->
          faults.expect(
              start.isBefore(end),
              "start_at",
              "%s is not before the deadline; expected a time before %s".formatted(start, end)));
      for (int i = 0; i < waves.size(); i++) {
        if (waves.get(i).gate() instanceof Gate.Time(Instant opens)) {
          faults
              .in("waves/" + i)
              .expect(
                  opens.isBefore(end),
                  "not_before",
                  "%s is not before the deadline; expected a time before %s".formatted(opens, end));
        }
      }
      Duration soak = waves.stream().map(WaveSpec::soak).reduce(Duration.ZERO, Duration::plus);
      faults.expect(
          soak.isZero() || now.plus(soak).isBefore(end),
          "not_after",
          "the waves soak for %s in all; expected a deadline after %s"
              .formatted(soak, now.plus(soak)));
    });
  }
}
