package dev.uplift.activities.rollout;

import dev.uplift.activities.temporal.ActivityFailures;
import dev.uplift.activities.temporal.StepTimeoutResolver;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.decision.WaveStep;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.upgrade.ConcurrentStarts;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.workflows.rollout.RolloutInput;
import dev.uplift.workflows.rollout.RolloutStatus;
import dev.uplift.workflows.rollout.RolloutSteps;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Works on the devices of rollouts: pass after pass, a few each second, until the workflow has something to decide.
public final class RolloutStepsActivities implements RolloutSteps {
  /// Results and actions of this process start a pass at once; this finds those of other servers.
  static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  /// Without an upgrade in progress only time or a person changes anything.
  private static final Duration IDLE_POLL_INTERVAL = Duration.ofSeconds(1);

  /// However many upgrades end, passes take a third of the time, but none waits longer than this.
  private static final int PAUSE_FACTOR = 2;

  private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

  /// Prepared devices wait for their windows, perhaps for a day.
  private static final Duration PREPARING_POLL_INTERVAL = Duration.ofSeconds(5);

  /// Offline devices may be heard at any time, perhaps next morning.
  private static final Duration OFFLINE_POLL_INTERVAL = Duration.ofSeconds(5);

  /// A shorter wait is not worth the events of a timer and another activity.
  private static final Duration SHORT_WAIT = Duration.ofSeconds(30);

  /// A device that is released sends a signal; this is for a signal that was lost.
  private static final Duration HOLD_RECHECK_INTERVAL = Duration.ofMinutes(5);

  /// How often to look for devices whose upgrade is in no table.
  private static final Duration RECONCILE_INTERVAL = Duration.ofMinutes(5);

  /// How often to look for late joiners at most.
  private static final Duration LATE_JOINER_INTERVAL = Duration.ofMinutes(1);

  /// A search of a large fleet takes its time, and is the rarer for it.
  private static final int LATE_JOINER_PAUSE_FACTOR = 50;

  private final RolloutRepositories repositories;
  private final HostPresence presence;
  private final UpgradeWorkflowClient workflows;
  private final ConcurrentStarts concurrentStarts;
  private final StepTimeoutResolver timeouts;
  private final Duration pollInterval;
  private final Map<RolloutId, Semaphore> changes = new ConcurrentHashMap<>();
  private final CountDownLatch shutDown = new CountDownLatch(1);

  /// @param timeouts of each device's upgrade
  /// @param pollInterval [#POLL_INTERVAL], except in tests
  RolloutStepsActivities(
      RolloutRepositories repositories,
      HostPresence presence,
      UpgradeWorkflowClient workflows,
      ConcurrentStarts concurrentStarts,
      StepTimeoutResolver timeouts,
      Duration pollInterval) {
    this.repositories = repositories;
    this.presence = presence;
    this.workflows = workflows;
    this.concurrentStarts = concurrentStarts;
    this.timeouts = timeouts;
    this.pollInterval = pollInterval;
  }

  /// Ends every execution soon; another server takes it over.
  public void shutDown() {
    shutDown.countDown();
    changes.values().forEach(Semaphore::release);
  }

  /// Starts a pass over the rollout at once, if this process works on it.
  public void notifyChanged(RolloutId id) {
    Semaphore change = changes.get(id);
    if (change != null) {
      change.release();
    }
  }

  @Override
  public RolloutStatus upgradeWave(RolloutInput input) {
    return execute(WaveStep.UPGRADE_WAVE, input);
  }

  @Override
  public RolloutStatus soakWave(RolloutInput input) {
    return execute(WaveStep.SOAK_WAVE, input);
  }

  @Override
  public RolloutStatus rollBackWave(RolloutInput input) {
    return execute(WaveStep.ROLL_BACK_WAVE, input);
  }

  @Override
  public RolloutStatus finishRunning(RolloutInput input) {
    return execute(WaveStep.FINISH_RUNNING, input);
  }

  private RolloutStatus execute(WaveStep step, RolloutInput input) {
    ActivityExecutionContext context = Activity.getExecutionContext();
    try {
      return new Execution(step, input, context::heartbeat).run();
    } catch (DatabaseUnavailable | TemporalUnavailable e) {
      throw ActivityFailures.retryable(e).build();
    }
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  /// One attempt of one activity.
  private final class Execution {
    private final WaveStep step;
    private final RolloutId id;
    private final Consumer<String> heartbeatSender;
    private final Instant end;
    private final ReconcilePass pass;
    private final UpgradeLauncher launcher;
    private final LateJoiners lateJoiners;
    private final Semaphore change;
    private String currentProgress = "";
    private Optional<Long> revision = Optional.empty();
    private Instant nextReconcile = Instant.MIN;
    private Instant nextLateJoiners = Instant.MIN;

    Execution(WaveStep step, RolloutInput input, Consumer<String> heartbeatSender) {
      this.step = step;
      this.id = new RolloutId(input.tenant(), input.rollout());
      this.heartbeatSender = heartbeatSender;
      this.end = Instant.now().plus(input.timeouts().maxRun());
      this.pass = new ReconcilePass(repositories, presence, id);
      this.launcher = new UpgradeLauncher(repositories, workflows, concurrentStarts, timeouts);
      this.lateJoiners = new LateJoiners(repositories, presence);
      this.change = changes.computeIfAbsent(id, _ -> new Semaphore(0));
    }

    RolloutStatus run() {
      while (true) {
        heartbeatUnlessShuttingDown();
        change.drainPermits();
        Instant now = Instant.now();
        restartLostTargets(now);
        PassResult result = pass.run(now, this::heartbeat);
        Duration took = Duration.between(now, Instant.now());
        currentProgress = currentProgress(result);
        launcher.launch(result, this::heartbeat);
        if (result.isFinished()) {
          changes.remove(id, change);
        }
        Optional<RolloutStatus> found =
            statusIfActed(result)
                .or(() -> statusIfDone(result, now))
                .or(() -> {
                  if (!result.isSearching()) {
                    pause(took.multipliedBy(PAUSE_FACTOR), pauseUntilNext(result, now));
                  }
                  return statusIfActed(result);
                });
        if (found.isPresent()) {
          return found.get();
        }
      }
    }

    /// The status after what an operator has done since the first pass, who waits for the answer.
    private Optional<RolloutStatus> statusIfActed(PassResult result) {
      revision = revision.or(() -> Optional.of(result.row().revision()));
      return pass.statusUnlessAt(revision.get());
    }

    private Optional<RolloutStatus> statusIfDone(PassResult result, Instant now) {
      addLateJoiners(result);
      if (!result.step().equals(Optional.of(step)) || now.isAfter(end)) {
        return Optional.of(result.status());
      }
      return !result.isSearching() && isBlockedForAWhile(result, now)
          ? Optional.of(result.status().withIdle(Optional.of(idle(result, now))))
          : Optional.empty();
    }

    private static String currentProgress(PassResult result) {
      return "wave %d of %d: %s"
          .formatted(result.row().currentWave(), result.row().waveCount(), result.decision().message());
    }

    private void heartbeatUnlessShuttingDown() {
      if (shutDown.getCount() == 0) {
        throw ActivityFailures.retryable("ServerShutdown", "another server takes over").build();
      }
      heartbeat();
    }

    /// Carries where the rollout is, which Temporal Web UI shows while the activity runs.
    private void heartbeat() {
      heartbeatSender.accept(currentProgress);
    }

    /// Devices whose upgrade is in no table, as after the tables were restored from an older copy.
    private void restartLostTargets(Instant now) {
      if (!now.isBefore(nextReconcile)) {
        nextReconcile = now.plus(RECONCILE_INTERVAL);
        repositories
            .queue()
            .startedWithoutUpgrade(id, now.minus(RECONCILE_INTERVAL))
            .forEach(target -> repositories.targets().returnToStarting(id, target.device()));
      }
    }

    private void addLateJoiners(PassResult result) {
      Instant before = Instant.now();
      boolean runs = result.row().state() == RolloutState.RUNNING;
      if (runs && result.spec().plan().lateJoiners() && !before.isBefore(nextLateJoiners)) {
        lateJoiners.addTo(result.row(), result.spec());
        Duration took = Duration.between(before, Instant.now());
        nextLateJoiners = before.plus(max(took.multipliedBy(LATE_JOINER_PAUSE_FACTOR), LATE_JOINER_INTERVAL));
      }
    }

    /// Returns whether devices are left, and none can be worked on for longer than is worth waiting here.
    private static boolean isBlockedForAWhile(PassResult result, Instant now) {
      if (result.isActive() || result.hasOffline() || !(result.decision() instanceof Wait wait)) {
        return false;
      }
      return switch (wait.reason()) {
        case DEVICE_HELD, DEVICE_PINNED, STOPPED, NO_WINDOW -> true;
        case WINDOW, BACK_OFF, RATE_LIMIT -> isLongWait(result, now);
        case ROLLING_BACK -> wait.until().isPresent() && isLongWait(result, now);
        case PAUSED,
            APPROVAL,
            GATE_TIME,
            SOAK,
            DEVICE_BUSY,
            LOWER_PRIORITY,
            OFFLINE,
            PRESENCE_UNKNOWN,
            GROUP_LIMIT,
            UPGRADES_RUNNING,
            MAX_PARALLEL,
            ABORTING ->
            false;
      };
    }

    private static boolean isLongWait(PassResult result, Instant now) {
      return result.recheckAt().filter(next -> next.isBefore(now.plus(SHORT_WAIT))).isEmpty();
    }

    /// Returns what blocks the devices, and when to try again.
    private static Wait idle(PassResult result, Instant now) {
      Optional<Instant> next = result.recheckAt();
      Wait wait = (Wait) result.decision();
      Instant soon = now.plus(HOLD_RECHECK_INTERVAL);
      boolean mayBeHeld =
          switch (wait.reason()) {
            case DEVICE_HELD, DEVICE_PINNED, STOPPED, ROLLING_BACK -> true;
            default -> false;
          };
      return new Wait(
          wait.reason(), mayBeHeld ? Optional.of(next.filter(soon::isAfter).orElse(soon)) : next, wait.message());
    }

    private Duration pauseUntilNext(PassResult result, Instant now) {
      if (!result.isActive()) {
        return result.hasOffline() ? OFFLINE_POLL_INTERVAL : IDLE_POLL_INTERVAL;
      }
      if (!result.isOnlyPreparing()) {
        return pollInterval;
      }
      Duration next = result.recheckAt().map(time -> Duration.between(now, time)).orElse(PREPARING_POLL_INTERVAL);
      return max(pollInterval, min(next, PREPARING_POLL_INTERVAL));
    }

    /// At least for `least`, within reason, and then until something changes.
    private void pause(Duration least, Duration atMost) {
      Duration rest = min(least, MAX_PAUSE);
      try {
        var _ = shutDown.await(rest.toMillis(), TimeUnit.MILLISECONDS);
        Duration left = atMost.minus(rest);
        while (left.isPositive() && !change.tryAcquire(min(left, POLL_INTERVAL).toMillis(), TimeUnit.MILLISECONDS)) {
          heartbeat();
          left = left.minus(POLL_INTERVAL);
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        throw ActivityFailures.retryable("ServerShutdown", "interrupted").build();
      }
    }
  }
}
