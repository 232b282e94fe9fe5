package dev.uplift.api.upgrades;

import dev.uplift.api.openings.OpeningView;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.fleet.window.PlannedStart;
import dev.uplift.fleet.window.StartRequirements;
import dev.uplift.fleet.window.WindowOpening;
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

/// Rejects upgrades outside of the windows of their device, and determines the window policy of the others.
@Singleton
final class WindowCheck {
  private static final int OPENINGS_SHOWN = 3;

  private static final String WAITS_OR_IGNORES =
      "; with wait_for_window it starts in the next one, with ignore_windows and a reason it starts now";

  private static final String IGNORES = "; with ignore_windows and a reason it starts now";

  private final LabelWindowRepository labels;
  private final InstantSource clock;

  WindowCheck(LabelWindowRepository labels, InstantSource clock) {
    this.labels = labels;
    this.clock = clock;
  }

  /// Returns the policy; empty if windows have no effect: there are none, or they are ignored. An upgrade that waits
  /// for an approval is bound to windows that are added meanwhile, too.
  ///
  /// @throws ProblemException with the next openings, if it should start now and may not, or if no window before its
  ///   deadline fits
  Optional<WindowPolicy> windowPolicy(DeviceRow device, StartUpgradeRequest request) {
    WindowSchedule windowSchedule = TenantWindows.ofDevice(device.spec(), labels);
    boolean free = windowSchedule.levels().stream().allMatch(List::isEmpty);
    if (request.ignoreWindows() || (free && !request.requireApproval())) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    var startRequirements = new StartRequirements(request.requiredTime(), Duration.ZERO, request.deadline(now));
    Optional<Instant> openUntil =
        switch (windowSchedule.planStart(device.id(), now, startRequirements)) {
          case PlannedStart.Never(PlannedStart.Cause cause, String why) ->
              throw outsideWindow(device, windowSchedule, now, why + waysOut(cause, request));
          case PlannedStart.At(Instant at, WindowOpening opening) when !at.isAfter(now) -> opening.closes();
          case PlannedStart.At _ when request.waitForWindow() -> Optional.empty();
          case PlannedStart.At _ -> throw outsideWindow(device, windowSchedule, now, whyNotNow(windowSchedule, now));
        };
    return Optional.of(new WindowPolicy(false, request.onClose(), request.requiredTime(), openUntil, ""));
  }

  private static String whyNotNow(WindowSchedule windowSchedule, Instant now) {
    String why =
        windowSchedule.nextOpenings(1, now).stream().anyMatch(opening -> opening.isOpen(now))
            ? "its window closes too soon for the release"
            : "it is outside of its windows";
    return why + WAITS_OR_IGNORES;
  }

  /// Returns what a person can ask for if no window before the deadline fits. One who waits for a window waits for
  /// longer than a day unless the request says otherwise.
  private static String waysOut(PlannedStart.Cause cause, StartUpgradeRequest request) {
    return cause == PlannedStart.Cause.NO_OPENING && !request.waitForWindow() ? WAITS_OR_IGNORES : IGNORES;
  }

  private static ProblemException outsideWindow(
      DeviceRow device, WindowSchedule windowSchedule, Instant now, String why) {
    List<WindowOpening> next = windowSchedule.nextOpenings(OPENINGS_SHOWN, now);
    String times =
        next.isEmpty()
            ? "no window opens in the foreseeable future"
            : "windows: " + next.stream().map(WindowOpening::toString).collect(Collectors.joining("; "));
    return ProblemException.outsideWindow(
        "%s cannot be changed now: %s. %s".formatted(device.id().name(), why, times),
        next.stream().map(OpeningView::of).toList());
  }
}
