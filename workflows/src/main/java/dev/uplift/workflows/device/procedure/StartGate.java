package dev.uplift.workflows.device.procedure;

import static dev.uplift.fleet.Step.UPGRADE;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.RequestedUpgrade;
import dev.uplift.fleet.rollout.plan.WindowRule.OnClose;
import dev.uplift.workflows.device.DeviceRecords;
import dev.uplift.workflows.device.DeviceRecords.WindowStatus;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.DeviceUpgrade.ProceedSignal;
import dev.uplift.workflows.device.PendingWait;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradePlan.WindowPolicy;
import dev.uplift.workflows.device.procedure.Deadlines.UpgradeStopped;
import dev.uplift.workflows.device.procedure.HostTracker.HostSkipped;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Blocks until a host may be changed: approval given, rollout let it proceed, maintenance window open. Costs nothing
/// where none of it is required.
final class StartGate {
  /// A changed window is signalled; this is for a signal that got lost.
  private static final Duration RECHECK_INTERVAL = Duration.ofHours(1);

  /// Our clock and that of the records need not agree about the instant at which a window opens.
  private static final Duration MIN_SLEEP = Duration.ofSeconds(1);

  private final UpgradePlan plan;
  private final Deadlines deadlines;
  private final HostTracker hosts;
  private final PendingWaits waits;
  private final DeviceRecords records;
  private Optional<Operator> approvedBy = Optional.empty();
  private Optional<ProceedSignal> proceedSignal = Optional.empty();
  private boolean mayProceed;
  private boolean hasWaited;
  private boolean recheckRequested;
  private @Nullable Reason windowClosedReason;

  StartGate(UpgradePlan plan, Deadlines deadlines, HostTracker hosts, PendingWaits waits, DeviceRecords records) {
    this.plan = plan;
    this.deadlines = deadlines;
    this.hosts = hosts;
    this.waits = waits;
    this.records = records;
  }

  /// Blocks until the first host may be changed.
  ///
  /// @param waiting runs if that is not at once
  /// @throws UpgradeStopped if it may not be before the deadline
  void awaitFirstHost(HostId first, Runnable waiting) {
    if (plan.conditions().approval().isEmpty() && plan.conditions().window().isEmpty()) {
      return;
    }
    do {
      waits.awaitResume(UPGRADE, first);
      awaitApproval(first, waiting);
      plan.conditions()
          .window()
          .ifPresent(policy -> {
            awaitProceed(policy, first, waiting);
            awaitWindow(policy, first, waiting);
          });
    } while (deadlines.pausedBy().isPresent());
  }

  private void awaitApproval(HostId host, Runnable waiting) {
    if (plan.conditions().approval().isPresent() && approvedBy.isEmpty()) {
      startWaiting(waiting);
      String message = "another person than %s to approve it".formatted(plan.conditions().approval().get().author());
      waits.awaitUntilDeadline(UpgradeWaitReason.APPROVAL, UPGRADE, host, message, () -> approvedBy.isPresent());
    }
  }

  private void startWaiting(Runnable waiting) {
    hasWaited = true;
    waiting.run();
  }

  private void awaitProceed(WindowPolicy policy, HostId host, Runnable waiting) {
    while (policy.awaitProceed() && !mayProceed) {
      if (proceedSignal.isEmpty()) {
        startWaiting(waiting);
        String message = plan.origin().startedBy() + " to let it proceed, once its window is open";
        waits.awaitUntilDeadline(UpgradeWaitReason.PROCEED, UPGRADE, host, message, () -> proceedSignal.isPresent());
      }
      checkProceedSignal();
    }
  }

  /// A signal proves nothing: anybody with access to Temporal sends one, and the rollout may have been paused since.
  private void checkProceedSignal() {
    Optional<ProceedSignal> checked = proceedSignal;
    proceedSignal = Optional.empty();
    mayProceed = records.admitProceed(plan);
    if (mayProceed) {
      proceedSignal = checked;
    }
    deadlines.throwIfStopped();
  }

  private void awaitWindow(WindowPolicy policy, HostId host, Runnable waiting) {
    Instant since = Deadlines.now();
    WindowStatus status = checkFirstWindow(policy);
    while (!status.open()) {
      startWaiting(waiting);
      awaitWindowChange(host, status, since);
      if (deadlines.isPastDeadline()) {
        throw deadlines.requestStop(Reason.deadline(deadlines.notAfter(), "waited for " + status.message()));
      }
      status = checkFirstWindow(policy);
    }
    if (status.refusal().isPresent()) {
      throw deadlines.requestStop(status.refusal().get());
    }
    deadlines.windowEnd(status.closes());
  }

  /// Checks whether the device may be changed. A pin that was set since the upgrade began to wait forbids it.
  private WindowStatus checkFirstWindow(WindowPolicy policy) {
    Optional<RequestedUpgrade> waiting = hasWaited ? Optional.of(plan.requestedUpgrade()) : Optional.empty();
    return checkWindow(policy, requiredTime(policy), deadlines.notAfter(), waiting);
  }

  /// Blocks until the windows may say something else.
  private void awaitWindowChange(HostId host, WindowStatus status, Instant since) {
    PendingWait pendingWait =
        new PendingWait(
            UpgradeWaitReason.WINDOW,
            UPGRADE,
            host,
            status.message(),
            UpgradeWaitReason.WINDOW.from(host),
            since,
            status.opens().or(() -> Optional.of(deadlines.notAfter())));
    Instant end = nextCheck(status.opens(), Optional.of(deadlines.notAfter()));
    waits.runDuring(pendingWait, () -> sleep(end, status.message(), deadlines::isStopped));
    deadlines.throwIfStopped();
  }

  private boolean sleep(Instant end, String summary, BooleanSupplier met) {
    return PendingWaits.sleep(end, summary, () -> recheckRequested || met.getAsBoolean());
  }

  /// The earliest of the times, but not at once, and within an hour.
  private static Instant nextCheck(Optional<Instant> change, Optional<Instant> deadline) {
    Instant now = Deadlines.now();
    Instant end =
        Stream.of(change, deadline, Optional.of(now.plus(RECHECK_INTERVAL)))
            .flatMap(Optional::stream)
            .min(Instant::compareTo)
            .orElseThrow();
    Instant least = now.plus(MIN_SLEEP);
    return end.isBefore(least) ? least : end;
  }

  /// Zero in the window that it was admitted to, which had room for all of it. Any other window has to have enough time
  /// left.
  private Duration requiredTime(WindowPolicy policy) {
    Optional<Instant> admittedUntil = proceedSignal.map(ProceedSignal::openUntil).orElse(policy.openUntil());
    return admittedUntil.filter(end -> Deadlines.now().isBefore(end)).isPresent()
        ? Duration.ZERO
        : policy.requiredTime();
  }

  /// Checks whether the window is still open, also past the deadline: running steps may outlast it.
  private WindowStatus checkWindow(WindowPolicy policy) {
    return checkWindow(policy, Duration.ZERO, Deadlines.now().plus(RECHECK_INTERVAL), Optional.empty());
  }

  private WindowStatus checkWindow(
      WindowPolicy policy, Duration requiredTime, Instant before, Optional<RequestedUpgrade> waiting) {
    recheckRequested = false;
    WindowStatus status = records.checkWindow(plan.device(), policy.additionalWindows(), requiredTime, before, waiting);
    deadlines.throwIfStopped();
    return status;
  }

  /// Blocks until a host that was waited for may be changed.
  ///
  /// @throws HostSkipped as [#awaitNextHost]
  /// @throws UpgradeStopped as [#awaitFirstHost]
  void awaitHost(HostId host) {
    if (hosts.isAnyChanged()) {
      awaitNextHost(host);
    } else {
      hasWaited = true;
      awaitFirstHost(host, () -> {});
    }
  }

  /// Blocks until the host may be changed after another one was.
  ///
  /// @throws HostSkipped if the window has closed and the host is to stay as it is
  void awaitNextHost(HostId host) {
    if (plan.conditions().window().isPresent() && hosts.isAnyChanged()) {
      switch (plan.conditions().window().get().onClose()) {
        case FINISH -> deadlines.windowEnd(Optional.empty());
        case STOP_BEFORE_NEXT_HOST -> skipUnlessOpen(plan.conditions().window().get(), host);
        case ROLL_BACK -> {
          // [#watchWindow] stops the upgrade.
        }
      }
    }
  }

  private void skipUnlessOpen(WindowPolicy policy, HostId host) {
    waits.awaitResume(UPGRADE, host);
    if (windowClosedReason == null) {
      WindowStatus status = checkWindow(policy);
      if (status.open()) {
        deadlines.windowEnd(status.closes());
        return;
      }
      windowClosedReason = Reason.windowClosed(host + " and those after it were not begun");
    }
    deadlines.recordSkip(windowClosedReason);
    throw hosts.skip(host, windowClosedReason);
  }

  /// Calls `closed` once, if the window closes while the device is being upgraded and that is to roll it back.
  void watchWindow(Consumer<Reason> closed) {
    plan.conditions()
        .window()
        .filter(policy -> policy.onClose() == OnClose.ROLL_BACK)
        .ifPresent(policy -> Async.procedure(() -> watchWindow(policy, closed)));
  }

  /// Before the first host is changed, a window that closes is [#awaitFirstHost]'s concern.
  private void watchWindow(WindowPolicy policy, Consumer<Reason> closed) {
    while (deadlines.canBeStopped()) {
      Workflow.await(() -> hosts.isAnyChanged() || !deadlines.canBeStopped());
      watchChangedDevice(policy, closed);
    }
  }

  private void watchChangedDevice(WindowPolicy policy, Consumer<Reason> closed) {
    BooleanSupplier isWatched = () -> deadlines.canBeStopped() && hosts.isAnyChanged();
    Optional<Instant> closes = deadlines.windowEnd();
    while (isWatched.getAsBoolean()) {
      sleep(nextCheck(closes, Optional.empty()), "its window to close", () -> !isWatched.getAsBoolean());
      if (isWatched.getAsBoolean()) {
        WindowStatus status = checkWindow(policy);
        closes = status.closes();
        if (status.open()) {
          deadlines.windowEnd(closes);
        } else if (isWatched.getAsBoolean()) {
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

  /// May come at any time. Only the first signal that is admitted counts.
  void proceed(ProceedSignal signal) {
    proceedSignal = proceedSignal.or(() -> Optional.of(signal));
  }

  /// Has the windows checked again because they, or the deadline, may have changed.
  void recheck() {
    recheckRequested = true;
  }
}
