package dev.uplift.workflows.device.procedure;

import static dev.uplift.fleet.Step.UPGRADE;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.rollout.plan.WindowRule.OnClose;
import dev.uplift.workflows.device.DeviceRecords;
import dev.uplift.workflows.device.Operator;
import dev.uplift.workflows.device.PendingWait;
import dev.uplift.workflows.device.ProceedSignal;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeWaitReason;
import dev.uplift.workflows.device.WindowPolicy;
import dev.uplift.workflows.device.WindowStatus;
import io.temporal.workflow.Async;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Whether a host may be touched yet: that somebody has approved, that the rollout has said go, and
/// that a window is open. Costs nothing where none of it is asked for.
final class StartGate {
  /// Whoever changes a window says so; this is for when that got lost.
  private static final Duration RECHECK_INTERVAL = Duration.ofHours(1);

  /// Our clock and that of the records need not agree about the instant at which a window opens.
  private static final Duration MIN_SLEEP = Duration.ofSeconds(1);

  private final UpgradePlan plan;
  private final Deadlines deadlines;
  private final HostTracker hosts;
  private final PendingWaits waits;
  private final BoundedWaits boundedWaits;
  private final DeviceRecords records;
  private Optional<Operator> approvedBy = Optional.empty();
  private Optional<ProceedSignal> proceedSignal = Optional.empty();
  private boolean recheckRequested;
  private @Nullable Reason windowClosedReason;

  StartGate(UpgradePlan plan, Deadlines deadlines, HostTracker hosts, PendingWaits waits, DeviceRecords records) {
    this.plan = plan;
    this.deadlines = deadlines;
    this.hosts = hosts;
    this.waits = waits;
    this.boundedWaits = new BoundedWaits(deadlines, waits);
    this.records = records;
  }

  /// Returns when the first host may be touched.
  ///
  /// @param waiting runs when that is not at once
  /// @throws UpgradeStopped when it will not be
  void awaitFirstHost(HostId first, Runnable waiting) {
    if (plan.approval().isEmpty() && plan.window().isEmpty()) {
      return;
    }
    do {
      boundedWaits.awaitResume(UPGRADE, first);
      awaitApproval(first, waiting);
      plan.window()
          .ifPresent(terms -> {
            awaitProceed(terms, first, waiting);
            awaitWindow(terms, first, waiting);
          });
    } while (deadlines.pausedBy().isPresent());
  }

  private void awaitApproval(HostId host, Runnable waiting) {
    if (plan.approval().isPresent() && approvedBy.isEmpty()) {
      waiting.run();
      String sentence =
          "another person than %s to approve it".formatted(plan.approval().get().author());
      boundedWaits.await(UpgradeWaitReason.APPROVAL, UPGRADE, host, sentence, () -> approvedBy.isPresent());
    }
  }

  private void awaitProceed(WindowPolicy terms, HostId host, Runnable waiting) {
    if (terms.awaitProceed() && proceedSignal.isEmpty()) {
      waiting.run();
      String sentence = plan.startedBy() + " to let it go on, once its window is open";
      boundedWaits.await(UpgradeWaitReason.PROCEED, UPGRADE, host, sentence, () -> proceedSignal.isPresent());
    }
  }

  private void awaitWindow(WindowPolicy terms, HostId host, Runnable waiting) {
    Instant since = PendingWaits.now();
    WindowStatus sight = checkWindow(terms, requiredTime(terms), deadlines.notAfter());
    while (!sight.open()) {
      waiting.run();
      awaitWindowChange(host, sight, since);
      if (deadlines.isPastDeadline()) {
        throw deadlines.requestStop(Reason.deadline(deadlines.notAfter(), "waited for " + sight.message()));
      }
      sight = checkWindow(terms, requiredTime(terms), deadlines.notAfter());
    }
    deadlines.windowEnd(sight.closes());
  }

  /// Until it may have changed what the windows say.
  private void awaitWindowChange(HostId host, WindowStatus sight, Instant since) {
    PendingWait pendingWait =
        new PendingWait(
            UpgradeWaitReason.WINDOW,
            UPGRADE,
            host,
            sight.message(),
            UpgradeWaitReason.WINDOW.from(host),
            since,
            sight.opens().or(() -> Optional.of(deadlines.notAfter())));
    Instant end = nextCheck(sight.opens(), Optional.of(deadlines.notAfter()));
    waits.runDuring(pendingWait, () -> sleep(end, sight.message(), deadlines::isStopped));
    deadlines.throwIfStopped();
  }

  private boolean sleep(Instant end, String summary, BooleanSupplier met) {
    return PendingWaits.sleep(end, summary, () -> recheckRequested || met.getAsBoolean());
  }

  /// Not at once, but within an hour.
  private static Instant nextCheck(Optional<Instant> change, Optional<Instant> deadline) {
    Instant now = PendingWaits.now();
    Instant end =
        Stream.of(change, deadline, Optional.of(now.plus(RECHECK_INTERVAL)))
            .flatMap(Optional::stream)
            .min(Instant::compareTo)
            .orElseThrow();
    Instant least = now.plus(MIN_SLEEP);
    return end.isBefore(least) ? least : end;
  }

  /// The window that it was let into has room for all of it: what has passed of it since was part
  /// of that. Of any other one there has to be enough left.
  private Duration requiredTime(WindowPolicy terms) {
    Optional<Instant> letIn = proceedSignal.map(ProceedSignal::openUntil).orElse(terms.openUntil());
    return letIn.filter(end -> PendingWaits.now().isBefore(end)).isPresent()
        ? Duration.ZERO
        : terms.requiredTime();
  }

  /// Whether it is still open, also where the deadline is past: what is in work outlasts it.
  private WindowStatus checkWindow(WindowPolicy terms) {
    return checkWindow(terms, Duration.ZERO, PendingWaits.now().plus(RECHECK_INTERVAL));
  }

  private WindowStatus checkWindow(WindowPolicy terms, Duration need, Instant before) {
    recheckRequested = false;
    WindowStatus sight = records.checkWindow(plan.device(), terms.additionalWindows(), need, before);
    deadlines.throwIfStopped();
    return sight;
  }

  /// Returns when the host may be touched, as another one was before.
  ///
  /// @throws HostSkipped when the window has closed and it is to stay as it is
  void awaitNextHost(HostId host) {
    if (plan.window().isPresent() && hosts.isAnyChanged()) {
      switch (plan.window().get().onClose()) {
        case FINISH -> deadlines.windowEnd(Optional.empty());
        case STOP_BEFORE_NEXT_HOST -> skipUnlessOpen(plan.window().get(), host);
        case ROLL_BACK -> {
          // Somebody watches.
        }
      }
    }
  }

  private void skipUnlessOpen(WindowPolicy terms, HostId host) {
    boundedWaits.awaitResume(UPGRADE, host);
    if (windowClosedReason == null) {
      WindowStatus sight = checkWindow(terms);
      if (sight.open()) {
        deadlines.windowEnd(sight.closes());
        return;
      }
      windowClosedReason = Reason.windowClosed(host + " and those after it were not begun");
    }
    hosts.skip(host, windowClosedReason);
    deadlines.recordSkip(windowClosedReason);
    throw new HostSkipped();
  }

  /// Says once that the window has closed, if it does while the device is in work and is then to go
  /// back.
  void watchWindow(Consumer<Reason> closed) {
    plan.window()
        .filter(terms -> terms.onClose() == OnClose.ROLL_BACK)
        .ifPresent(terms -> Async.procedure(() -> watchWindow(terms, closed)));
  }

  private void watchWindow(WindowPolicy terms, Consumer<Reason> closed) {
    Optional<Instant> closes = deadlines.windowEnd();
    while (deadlines.canBeStopped()) {
      sleep(
          nextCheck(closes, Optional.empty()), "its window to close", () -> !deadlines.canBeStopped());
      if (deadlines.canBeStopped()) {
        WindowStatus sight = checkWindow(terms);
        closes = sight.closes();
        if (!sight.open() && deadlines.canBeStopped()) {
          closed.accept(Reason.windowClosed("it was in work"));
        }
      }
    }
  }

  boolean isApproved() {
    return approvedBy.isPresent();
  }

  void approve(Operator by) {
    approvedBy = Optional.of(by);
  }

  /// Whatever it waits for first. Said twice it counts once.
  void proceed(ProceedSignal said) {
    proceedSignal = proceedSignal.or(() -> Optional.of(said));
  }

  /// Windows, or the deadline, may have changed.
  void recheck() {
    recheckRequested = true;
  }
}
