package dev.uplift.activities.rollout;

import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.temporal.Steering;
import dev.uplift.activities.temporal.TemporalAway;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.store.DatabaseAway;
import dev.uplift.store.TargetRow;
import dev.uplift.workflows.rollout.RolloutStart;
import dev.uplift.workflows.rollout.RolloutSteps;
import dev.uplift.workflows.rollout.Tick;
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
public final class TicksOverTables implements RolloutSteps {
  /// An end that this process hears of is looked at when it comes; this is for another server's.
  static final Duration LOOK = Duration.ofMillis(500);

  /// With nothing in work only time or a person changes anything.
  private static final Duration LOOK_IDLE = Duration.ofSeconds(1);

  /// However many upgrades end, passes take a third of the time, but none waits longer than this.
  private static final int RESTS = 2;

  private static final Duration REST = Duration.ofMillis(250);

  /// Devices that have prepared wait for their windows, perhaps for a day.
  private static final Duration LOOK_AHEAD = Duration.ofSeconds(5);

  /// A shorter wait is not worth the events of another tick.
  private static final Duration SHORT = Duration.ofSeconds(30);

  /// Others are to say so when a device is let go; this is for when they did not.
  private static final Duration HELD = Duration.ofMinutes(5);

  /// Who is forgotten is looked for this often.
  private static final Duration RECONCILE = Duration.ofMinutes(5);

  /// Who matches later is looked for this often at most.
  private static final Duration TAKE_IN = Duration.ofMinutes(1);

  private static final int ABORTS = 50;

  private final RolloutTables tables;
  private final Presence presence;
  private final Launching launching;
  private final Steering steering;
  private final Duration look;
  private final Map<RolloutId, Bell> bells = new ConcurrentHashMap<>();
  private volatile boolean leaving;

  /// @param look [#LOOK], but for tests
  TicksOverTables(
      RolloutTables tables,
      Presence presence,
      Launching launching,
      Steering steering,
      Duration look) {
    this.tables = tables;
    this.presence = presence;
    this.launching = launching;
    this.steering = steering;
    this.look = look;
  }

  /// Every tick under way ends soon, and another server takes it over.
  public void leave() {
    leaving = true;
  }

  /// Something has happened to a rollout: its tick, if one is under way here, looks at once.
  public void wake(RolloutId id) {
    Bell bell = bells.get(id);
    if (bell != null) {
      bell.ring();
    }
  }

  @Override
  public Tick tick(RolloutStart start) {
    ActivityExecutionContext context = Activity.getExecutionContext();
    try {
      return new Ticking(start, context::heartbeat).run();
    } catch (DatabaseAway | TemporalAway e) {
      throw laterAgain(e.getClass().getSimpleName(), String.valueOf(e.getMessage()));
    }
  }

  /// Not worth a line in the log.
  private static ApplicationFailure laterAgain(String type, String message) {
    return ApplicationFailure.newBuilder()
        .setType(type)
        .setMessage(message)
        .setCategory(ApplicationErrorCategory.BENIGN)
        .build();
  }

  /// One tick.
  private final class Ticking {
    private final RolloutId id;
    private final Consumer<String> heart;
    private final Instant end;
    private final Pass pass;
    private final Bell bell;
    private String doing = "";
    private final Set<String> aborted = new HashSet<>();
    private Instant toReconcile = Instant.MIN;
    private Instant toTakeIn = Instant.MIN;
    private final LateJoining lateJoining = new LateJoining(tables, presence);

    Ticking(RolloutStart start, Consumer<String> heart) {
      this.id = new RolloutId(start.tenant(), start.rollout());
      this.heart = heart;
      this.end = Instant.now().plus(start.pace().box());
      this.pass = new Pass(tables, presence, id);
      this.bell = bells.computeIfAbsent(id, _ -> new Bell());
    }

    Tick run() {
      Optional<RolloutState> first = Optional.empty();
      while (true) {
        stayOn();
        long heard = bell.rings();
        Instant now = Instant.now();
        reconcile(now);
        Passed passed = pass.run(now);
        Duration took = Duration.between(now, Instant.now());
        doing = doing(passed);
        launching.launch(passed, this::beat);
        abortRunning(passed);
        takeLateJoiners(passed);
        RolloutState state = passed.row().state();
        boolean news = first.isPresent() && first.get() != state;
        if (passed.isOver()) {
          bells.remove(id, bell);
        }
        if (news || now.isAfter(end) || isForAnotherTick(passed, now)) {
          return passed.tick(next(passed, now));
        }
        first = first.or(() -> Optional.of(state));
        pause(heard, took.multipliedBy(RESTS), untilNext(passed, now));
      }
    }

    private static String doing(Passed passed) {
      return "wave %d of %d: %s"
          .formatted(
              passed.row().currentWave(), passed.row().waves(), passed.decision().sentence());
    }

    private void stayOn() {
      if (leaving) {
        throw laterAgain("ServerLeaves", "this server ends; another one goes on");
      }
      beat();
    }

    /// With where it is, which Temporal Web UI shows while a tick is under way.
    private void beat() {
      heart.accept(doing);
    }

    /// Devices whose upgrade nobody knows of, as after tables were put back to an older copy.
    private void reconcile(Instant now) {
      if (!now.isBefore(toReconcile)) {
        toReconcile = now.plus(RECONCILE);
        tables
            .queue()
            .lost(id, now.minus(RECONCILE))
            .forEach(target -> tables.targets().startAgain(id, target.device()));
      }
    }

    /// To look at a large fleet takes its time, and is done the more rarely.
    private void takeLateJoiners(Passed passed) {
      Instant before = Instant.now();
      boolean runs = passed.row().state() == RolloutState.RUNNING;
      if (runs && passed.wish().plan().lateJoiners() && !before.isBefore(toTakeIn)) {
        lateJoining.join(passed.row(), passed.wish());
        Duration took = Duration.between(before, Instant.now()).multipliedBy(50);
        toTakeIn = before.plus(took.compareTo(TAKE_IN) > 0 ? took : TAKE_IN);
      }
    }

    private void abortRunning(Passed passed) {
      var said = passed.steering();
      if (passed.isOver() || said.stoppedBy().isEmpty()) {
        return;
      }
      List<TargetRow> some =
          launching.running(passed.row()).stream()
              // What has but prepared is not in work yet.
              .filter(target -> said.hard() || target.ahead())
              .filter(target -> !aborted.contains(inWork(target)))
              .limit(ABORTS)
              .toList();
      SideBySide.run(some, target -> abort(passed, target), this::beat);
      some.forEach(target -> aborted.add(inWork(target)));
    }

    private void abort(Passed passed, TargetRow target) {
      steering.abort(passed.row().id().device(target.device()), inWork(target), GoingOn.by(passed));
    }

    /// Id of the upgrade of it that runs.
    private static String inWork(TargetRow target) {
      boolean goesBack = target.state() == TargetState.REVERTING;
      return (goesBack ? target.revertUpgrade() : target.upgrade()).orElse("");
    }

    /// Whether there is nothing to do here for a while, or for ever.
    private boolean isForAnotherTick(Passed passed, Instant now) {
      if (passed.isOver()) {
        return true;
      }
      if (passed.isAtWork() || !(passed.decision() instanceof Wait wait)) {
        return false;
      }
      return switch (wait.what()) {
        case PAUSED, APPROVAL, HELD, NO_WINDOW -> true;
        case GATE_TIME, WINDOW, BACK_OFF, RATE -> isLong(passed, now);
        case ROLLING_BACK -> wait.until().isPresent() && isLong(passed, now);
        case SOAK, BUSY, OUTRANKED, GROUP, IN_WORK, MAX_PARALLEL, ABORTING -> false;
      };
    }

    private static boolean isLong(Passed passed, Instant now) {
      return passed.lookAgain().filter(next -> next.isBefore(now.plus(SHORT))).isEmpty();
    }

    private Optional<Instant> next(Passed passed, Instant now) {
      if (passed.isAtWork() || now.isAfter(end)) {
        return Optional.of(now);
      }
      Optional<Instant> next = passed.lookAgain();
      boolean held = passed.decision() instanceof Wait wait && mayWaitForAPerson(wait);
      Instant soon = now.plus(HELD);
      return held ? Optional.of(next.filter(soon::isAfter).orElse(soon)) : next;
    }

    private static boolean mayWaitForAPerson(Wait wait) {
      return wait.what() == Waiting.HELD || wait.what() == Waiting.ROLLING_BACK;
    }

    private Duration untilNext(Passed passed, Instant now) {
      if (!passed.isAtWork()) {
        return LOOK_IDLE;
      }
      if (!passed.isAheadOnly()) {
        return look;
      }
      Duration next =
          passed.lookAgain().map(time -> Duration.between(now, time)).orElse(LOOK_AHEAD);
      return next.compareTo(look) < 0 ? look : next.compareTo(LOOK_AHEAD) < 0 ? next : LOOK_AHEAD;
    }

    /// At least as long as wished, within reason, and then until something happens.
    private void pause(long heard, Duration wished, Duration atMost) {
      Duration rest = wished.compareTo(REST) < 0 ? wished : REST;
      try {
        Thread.sleep(rest);
        Duration left = atMost.minus(rest);
        while (left.isPositive() && !bell.await(heard, left.compareTo(LOOK) < 0 ? left : LOOK)) {
          beat();
          left = left.minus(LOOK);
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        throw laterAgain("ServerLeaves", "interrupted");
      }
    }
  }
}
