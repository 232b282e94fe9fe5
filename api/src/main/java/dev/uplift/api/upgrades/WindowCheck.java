package dev.uplift.api.upgrades;

import dev.uplift.api.openings.OpeningView;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.fleet.window.Opening;
import dev.uplift.fleet.window.PlannedStart;
import dev.uplift.fleet.window.StartRequirements;
import dev.uplift.fleet.window.WindowSchedule;
import dev.uplift.services.window.TenantWindows;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.LabelWindowRepository;
import dev.uplift.workflows.device.UpgradePlan.WindowPolicy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Refuses an upgrade that somebody wants outside of the windows of its device, and says what
/// windows mean to one that is not refused.
@Singleton
final class WindowCheck {
  private static final int OPENINGS_SHOWN = 3;

  private final LabelWindowRepository labels;
  private final InstantSource clock;

  WindowCheck(LabelWindowRepository labels, InstantSource clock) {
    this.labels = labels;
    this.clock = clock;
  }

  /// Empty where windows mean nothing: there are none, or they are ignored. Whoever waits for an
  /// approval is bound to those too that come meanwhile.
  ///
  /// @throws ProblemException with the next openings, if it is to start now and may not, or cannot
  ///   before its deadline
  Optional<WindowPolicy> windowPolicy(DeviceRow device, StartUpgradeRequest request) {
    WindowSchedule windowSchedule =
        TenantWindows.of(device.id().tenant(), labels).of(device.spec());
    boolean free = windowSchedule.levels().stream().allMatch(List::isEmpty);
    if (request.ignoreWindows() || (free && !request.requireApproval())) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    var startRequirements =
        new StartRequirements(request.requiredTime(), Duration.ZERO, request.deadline(now));
    Optional<Instant> openUntil =
        switch (windowSchedule.planStart(device.id(), now, startRequirements)) {
          case PlannedStart.Never(_, String why) ->
              throw outsideWindow(device, windowSchedule, now, why);
          case PlannedStart.At(Instant at, Opening opening) when !at.isAfter(now) ->
              opening.closes();
          case PlannedStart.At _ when request.waitForWindow() -> Optional.empty();
          case PlannedStart.At _ ->
              throw outsideWindow(device, windowSchedule, now, whyNotNow(windowSchedule, now));
        };
    return Optional.of(
        new WindowPolicy(false, request.onClose(), request.requiredTime(), openUntil, ""));
  }

  private static String whyNotNow(WindowSchedule windowSchedule, Instant now) {
    String why =
        windowSchedule.nextOpenings(1, now).stream().anyMatch(opening -> opening.isOpen(now))
            ? "its window closes too soon for the release"
            : "it is outside of its windows";
    return why
        + "; with wait_for_window it starts in the next one, with ignore_windows and a reason it starts now";
  }

  private static ProblemException outsideWindow(
      DeviceRow device, WindowSchedule windowSchedule, Instant now, String why) {
    List<Opening> next = windowSchedule.nextOpenings(OPENINGS_SHOWN, now);
    String times =
        next.isEmpty()
            ? "none opens in sight"
            : "windows: " + next.stream().map(Opening::toString).collect(Collectors.joining("; "));
    return ProblemException.outsideWindow(
        "%s is not touched now: %s. %s".formatted(device.id().name(), why, times),
        next.stream().map(OpeningView::of).toList());
  }
}
