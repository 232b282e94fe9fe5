package dev.uplift.activities.rollout;

import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.rollout.RolloutInput;
import dev.uplift.workflows.rollout.RolloutProgress;
import dev.uplift.workflows.rollout.RolloutSteps;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Ticks: pass after pass, a few each second, for as long as there is something to do.
public final class RolloutStepsActivities implements RolloutSteps {
  /// An end that this process hears of is looked at when it comes; this is for another server's.
  static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  /// With nothing in work only time or a person changes anything.
  private static final Duration IDLE_POLL_INTERVAL = Duration.ofSeconds(1);

  /// However many upgrades end, passes take a third of the time, but none waits longer than this.
  private static final int PAUSE_FACTOR = 2;

  private static final Duration MAX_PAUSE = Duration.ofMillis(250);

  /// Devices that have prepared wait for their windows, perhaps for a day.
  private static final Duration PREPARING_POLL_INTERVAL = Duration.ofSeconds(5);

  /// A shorter wait is not worth the events of another tick.
  private static final Duration SHORT_WAIT = Duration.ofSeconds(30);

  /// Others are to say so when a device is let go; this is for when they did not.
  private static final Duration HOLD_RECHECK_INTERVAL = Duration.ofMinutes(5);

  /// Who is forgotten is looked for this often.
  private static final Duration RECONCILE_INTERVAL = Duration.ofMinutes(5);

  /// Who matches later is looked for this often at most.
  private static final Duration LATE_JOINER_INTERVAL = Duration.ofMinutes(1);

  private static final int MAX_ABORTS_PER_PASS = 50;

  private final RolloutRepositories repositories;
  private final Presence presence;
  private final UpgradeLauncher upgradeLauncher;
  private final UpgradeWorkflowClient upgradeClient;
  private final Duration pollInterval;
  private final Map<RolloutId, ChangeSignal> changeSignals = new ConcurrentHashMap<>();
  private volatile boolean shuttingDown;

  /// @param pollInterval [#POLL_INTERVAL], but for tests
  RolloutStepsActivities(
      RolloutRepositories repositories,
      Presence presence,
      UpgradeLauncher upgradeLauncher,
      UpgradeWorkflowClient upgradeClient,
      Duration pollInterval) {
    this.repositories = repositories;
    this.presence = presence;
    this.upgradeLauncher = upgradeLauncher;
    this.upgradeClient = upgradeClient;
    this.pollInterval = pollInterval;
  }

  /// Every tick under way ends soon, and another server takes it over.
  public void shutDown() {
    shuttingDown = true;
  }

  /// Something has happened to a rollout: its tick, if one is under way here, looks at once.
  public void notifyChanged(RolloutId id) {
    ChangeSignal changeSignal = changeSignals.get(id);
    if (changeSignal != null) {
      changeSignal.notifyChanged();
    }
  }

  @Override
  public RolloutProgress advance(RolloutInput input) {
    ActivityExecutionContext context = Activity.getExecutionContext();
    try {
      return new Execution(input, context::heartbeat).run();
    } catch (DatabaseUnavailable | TemporalUnavailable e) {
      throw retryable(e.getClass().getSimpleName(), String.valueOf(e.getMessage()));
    }
  }

  /// Not worth a line in the log.
  private static ApplicationFailure retryable(String type, String message) {
    return ApplicationFailure.newBuilder()
        .setType(type)
        .setMessage(message)
        .setCategory(ApplicationErrorCategory.BENIGN)
        .build();
  }

  /// One tick.
  private final class Execution {
    private final RolloutId id;
    private final Consumer<String> heartbeatSender;
    private final Instant end;
    private final ReconcilePass pass;
    private final ChangeSignal changeSignal;
    private String currentProgress = "";
    private final Set<String> aborted = new HashSet<>();
    private Instant nextReconcile = Instant.MIN;
    private Instant nextLateJoiners = Instant.MIN;
    private final LateJoiners lateJoiners = new LateJoiners(repositories, presence);

    Execution(RolloutInput input, Consumer<String> heartbeatSender) {
      this.id = new RolloutId(input.tenant(), input.rollout());
      this.heartbeatSender = heartbeatSender;
      this.end = Instant.now().plus(input.timeouts().maxRun());
      this.pass = new ReconcilePass(repositories, presence, id);
      this.changeSignal = changeSignals.computeIfAbsent(id, _ -> new ChangeSignal());
    }

    RolloutProgress run() {
      Optional<RolloutState> first = Optional.empty();
      while (true) {
        heartbeatUnlessShuttingDown();
        long heard = changeSignal.changeCount();
        Instant now = Instant.now();
        restartLostTargets(now);
        PassResult passResult = pass.run(now);
        Duration took = Duration.between(now, Instant.now());
        currentProgress = currentProgress(passResult);
        upgradeLauncher.launch(passResult, this::heartbeat);
        abortRunning(passResult);
        addLateJoiners(passResult);
        RolloutState state = passResult.row().state();
        boolean news = first.isPresent() && first.get() != state;
        if (passResult.isFinished()) {
          changeSignals.remove(id, changeSignal);
        }
        if (news || now.isAfter(end) || hasNothingToDoSoon(passResult, now)) {
          return passResult.toProgress(nextRun(passResult, now));
        }
        first = first.or(() -> Optional.of(state));
        pause(heard, took.multipliedBy(PAUSE_FACTOR), pauseUntilNext(passResult, now));
      }
    }

    private static String currentProgress(PassResult passResult) {
      return "wave %d of %d: %s"
          .formatted(
              passResult.row().currentWave(), passResult.row().waveCount(), passResult.decision().message());
    }

    private void heartbeatUnlessShuttingDown() {
      if (shuttingDown) {
        throw retryable("ServerLeaves", "this server ends; another one goes on");
      }
      heartbeat();
    }

    /// With where it is, which Temporal Web UI shows while a tick is under way.
    private void heartbeat() {
      heartbeatSender.accept(currentProgress);
    }

    /// Devices whose upgrade nobody knows of, as after tables were put back to an older copy.
    private void restartLostTargets(Instant now) {
      if (!now.isBefore(nextReconcile)) {
        nextReconcile = now.plus(RECONCILE_INTERVAL);
        repositories
            .queue()
            .startedWithoutUpgrade(id, now.minus(RECONCILE_INTERVAL))
            .forEach(target -> repositories.targets().returnToStarting(id, target.device()));
      }
    }

    /// To look at a large fleet takes its time, and is done the more rarely.
    private void addLateJoiners(PassResult passResult) {
      Instant before = Instant.now();
      boolean runs = passResult.row().state() == RolloutState.RUNNING;
      if (runs && passResult.spec().plan().lateJoiners() && !before.isBefore(nextLateJoiners)) {
        lateJoiners.addTo(passResult.row(), passResult.spec());
        Duration took = Duration.between(before, Instant.now()).multipliedBy(50);
        nextLateJoiners = before.plus(took.compareTo(LATE_JOINER_INTERVAL) > 0 ? took : LATE_JOINER_INTERVAL);
      }
    }

    private void abortRunning(PassResult passResult) {
      var said = passResult.control();
      if (passResult.isFinished() || said.abortedBy().isEmpty()) {
        return;
      }
      List<TargetRow> some =
          upgradeLauncher.running(passResult.row()).stream()
              // What has but prepared is not in work yet.
              .filter(target -> said.abortRunning() || target.prepareAhead())
              .filter(target -> !aborted.contains(currentUpgrade(target)))
              .limit(MAX_ABORTS_PER_PASS)
              .toList();
      ParallelRunner.run(some, target -> abort(passResult, target), this::heartbeat);
      some.forEach(target -> aborted.add(currentUpgrade(target)));
    }

    private void abort(PassResult passResult, TargetRow target) {
      upgradeClient.abort(passResult.row().id().device(target.device()), currentUpgrade(target), PreparedDevices.operatorOf(passResult));
    }

    /// Id of the upgrade of it that runs.
    private static String currentUpgrade(TargetRow target) {
      boolean goesBack = target.state() == TargetState.REVERTING;
      return (goesBack ? target.revertUpgrade() : target.upgrade()).orElse("");
    }

    /// Whether there is nothing to do here for a while, or for ever.
    private boolean hasNothingToDoSoon(PassResult passResult, Instant now) {
      if (passResult.isFinished()) {
        return true;
      }
      if (passResult.isActive() || !(passResult.decision() instanceof Wait wait)) {
        return false;
      }
      return switch (wait.reason()) {
        case PAUSED, APPROVAL, DEVICE_HELD, NO_WINDOW -> true;
        case GATE_TIME, WINDOW, BACK_OFF, RATE_LIMIT -> isLongWait(passResult, now);
        case ROLLING_BACK -> wait.until().isPresent() && isLongWait(passResult, now);
        case SOAK, DEVICE_BUSY, LOWER_PRIORITY, GROUP_LIMIT, UPGRADES_RUNNING, MAX_PARALLEL, ABORTING -> false;
      };
    }

    private static boolean isLongWait(PassResult passResult, Instant now) {
      return passResult.recheckAt().filter(next -> next.isBefore(now.plus(SHORT_WAIT))).isEmpty();
    }

    private Optional<Instant> nextRun(PassResult passResult, Instant now) {
      if (passResult.isActive() || now.isAfter(end)) {
        return Optional.of(now);
      }
      Optional<Instant> next = passResult.recheckAt();
      boolean held = passResult.decision() instanceof Wait wait && mayNeedOperator(wait);
      Instant soon = now.plus(HOLD_RECHECK_INTERVAL);
      return held ? Optional.of(next.filter(soon::isAfter).orElse(soon)) : next;
    }

    private static boolean mayNeedOperator(Wait wait) {
      return wait.reason() == WaitReason.DEVICE_HELD || wait.reason() == WaitReason.ROLLING_BACK;
    }

    private Duration pauseUntilNext(PassResult passResult, Instant now) {
      if (!passResult.isActive()) {
        return IDLE_POLL_INTERVAL;
      }
      if (!passResult.isOnlyPreparing()) {
        return pollInterval;
      }
      Duration next =
          passResult.recheckAt().map(time -> Duration.between(now, time)).orElse(PREPARING_POLL_INTERVAL);
      return next.compareTo(pollInterval) < 0 ? pollInterval : next.compareTo(PREPARING_POLL_INTERVAL) < 0 ? next : PREPARING_POLL_INTERVAL;
    }

    /// At least as long as wished, within reason, and then until something happens.
    private void pause(long heard, Duration wished, Duration atMost) {
      Duration rest = wished.compareTo(MAX_PAUSE) < 0 ? wished : MAX_PAUSE;
      try {
        Thread.sleep(rest);
        Duration left = atMost.minus(rest);
        while (left.isPositive() && !changeSignal.await(heard, left.compareTo(POLL_INTERVAL) < 0 ? left : POLL_INTERVAL)) {
          heartbeat();
          left = left.minus(POLL_INTERVAL);
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        throw retryable("ServerLeaves", "interrupted");
      }
    }
  }
}
