package dev.uplift.api.upgrades;

import dev.uplift.activities.window.SiteWindows;
import dev.uplift.api.openings.OpeningView;
import dev.uplift.api.problem.Refusal;
import dev.uplift.fleet.window.Opening;
import dev.uplift.fleet.window.Start;
import dev.uplift.fleet.window.Wanted;
import dev.uplift.fleet.window.Windows;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.LabelWindows;
import dev.uplift.workflows.device.WindowTerms;
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
  private static final int SHOWN = 3;

  private final LabelWindows labels;
  private final InstantSource clock;

  WindowCheck(LabelWindows labels, InstantSource clock) {
    this.labels = labels;
    this.clock = clock;
  }

  /// Empty where windows mean nothing: there are none, or they are ignored. Whoever waits for an
  /// approval is bound to those too that come meanwhile.
  ///
  /// @throws Refusal with the next openings, if it is to start now and may not, or cannot before
  ///   its deadline
  Optional<WindowTerms> terms(DeviceRow device, UpgradeWish wish) {
    Windows windows = SiteWindows.of(device.id().tenant(), labels).of(device.spec());
    boolean free = windows.levels().stream().allMatch(List::isEmpty);
    WindowWish window = wish.window();
    if (window.force() || (free && !wish.approval())) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    var wanted = new Wanted(window.takes(), Duration.ZERO, wish.notAfter());
    Optional<Instant> openUntil =
        switch (windows.start(device.id(), now, wanted)) {
          case Start.Never(_, String why) -> throw refusal(device, windows, now, why);
          case Start.At(Instant at, Opening in) when !at.isAfter(now) -> in.closes();
          case Start.At _ when window.waits() -> Optional.empty();
          case Start.At _ -> throw refusal(device, windows, now, notNow(windows, now));
        };
    return Optional.of(new WindowTerms(false, window.onClose(), window.takes(), openUntil, ""));
  }

  private static String notNow(Windows windows, Instant now) {
    String why =
        windows.next(1, now).stream().anyMatch(opening -> opening.isOpen(now))
            ? "its window closes too soon for the release"
            : "it is outside of its windows";
    return why + "; with wait it starts in the next one, with force and a reason it starts now";
  }

  private static Refusal refusal(DeviceRow device, Windows windows, Instant now, String why) {
    List<Opening> next = windows.next(SHOWN, now);
    String times =
        next.isEmpty()
            ? "none opens in sight"
            : "windows: " + next.stream().map(Opening::toString).collect(Collectors.joining("; "));
    return Refusal.notOpen(
        "%s is not touched now: %s. %s".formatted(device.id().name(), why, times),
        next.stream().map(OpeningView::of).toList());
  }
}
