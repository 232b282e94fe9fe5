package dev.uplift.activities.rollout;

import dev.uplift.activities.presence.Presence;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.Decision.Finish;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Steering;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.store.DecisionRow;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.TargetRow;
import dev.uplift.store.TargetVerdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One look at a rollout, in one transaction under the lock of its row: what has ended is written
/// down, what follows from that is decided, and who starts is marked. What is then to be started
/// comes back, for the lock is not held while Temporal is asked. For one tick.
final class Pass {
  /// While many devices wait for something, who may start is not asked at every pass.
  private static final Duration RARELY = Duration.ofSeconds(5);

  /// A look at a large fleet takes its time, and is done the more rarely; but within this.
  private static final Duration MOST_RARELY = Duration.ofMinutes(1);

  private static final int SHARE = 50;

  private final RolloutTables tables;
  private final RolloutId id;
  private final Collecting collecting;
  private final Health health;
  private final Silence silence;
  private final GoingBack goingBack;

  /// What it found last when it looked for devices that may start, and there were none.
  private record Quiet(long revision, long verdicts, Instant until, Wait why) {}

  private Optional<Quiet> quiet = Optional.empty();
  private Instant healthAt = Instant.MIN;
  private Instant aheadAt = Instant.MIN;

  Pass(RolloutTables tables, Presence presence, RolloutId id) {
    this.tables = tables;
    this.id = id;
    this.collecting = new Collecting(tables);
    this.health = new Health(tables, presence);
    this.silence = new Silence(tables, presence);
    this.goingBack = new GoingBack(tables, id, silence);
  }

  Passed run(Instant now) {
    look(now);
    return tables.database().together(() -> locked(now));
  }

  private Passed locked(Instant now) {
    RolloutRow row =
        tables
            .rollouts()
            .lock(id)
            .orElseThrow(() -> new IllegalStateException("there is no rollout " + id));
    RolloutWish wish = RolloutTexts.wish(row.plan());
    if (row.state() == RolloutState.ENDED) {
      return passed(row, wish, over(row), Optional.empty());
    }
    if (isToCome(row, now)) {
      return toCome(row, wish);
    }
    RolloutRules rules = RolloutTexts.rules(row.rules());
    List<TargetRow> uncertain = tables.queue().in(id, TargetState.STARTING);
    List<TargetRow> going = tables.queue().in(id, TargetState.PROCEEDING);
    collecting.collect(id, rules.retries());
    goingBack.collect();
    goingBack.follow(row);
    if (row.currentWave() == 0) {
      tables.rollouts().enter(id, 1);
    }
    return decide(wish, rules.in(wish.plan()), new Uncertain(uncertain, going), now);
  }

  /// Of whom nobody knows whether they were started, and told to go on.
  private record Uncertain(List<TargetRow> started, List<TargetRow> going) {}

  private Decision over(RolloutRow row) {
    return new Finish(
        row.outcome().orElse(RolloutOutcome.ABORTED),
        tables.decisions().last(id).map(DecisionRow::said).map(said -> said.sentence()).orElse(""));
  }

  private static boolean isToCome(RolloutRow row, Instant now) {
    return row.currentWave() == 0
        && row.startAt().filter(now::isBefore).isPresent()
        && RolloutTexts.steering(row.steering()).stoppedBy().isEmpty();
  }

  private Passed toCome(RolloutRow row, RolloutWish wish) {
    Optional<String> pausedBy = RolloutTexts.steering(row.steering()).pausedBy();
    String sentence =
        pausedBy.map(by -> "paused by " + by).orElse("starts at " + row.startAt().orElseThrow());
    RolloutRow now =
        tables
            .rollouts()
            .stand(
                id,
                pausedBy.isPresent() ? RolloutState.PAUSED : RolloutState.PLANNED,
                pausedBy.map(_ -> Waiting.PAUSED),
                sentence,
                Optional.empty());
    return passed(
        now,
        wish,
        new Wait(
            pausedBy.isPresent() ? Waiting.PAUSED : Waiting.GATE_TIME, row.startAt(), sentence),
        row.startAt());
  }

  private Passed passed(RolloutRow row, RolloutWish wish, Decision said, Optional<Instant> next) {
    return new Passed(
        row,
        wish,
        RolloutTexts.steering(row.steering()),
        tables.counts().counts(id),
        said,
        next,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        GoingBack.Back.NOTHING);
  }

  /// Members of a wave that soaks have to stay healthy. A wave may be large, so they are looked at
  /// without the lock.
  private void look(Instant now) {
    if (!now.isBefore(healthAt)) {
      healthAt = now.plus(RARELY);
      tables.rollouts().find(id).filter(this::soaks).ifPresent(row -> sayUnhealthy(row, now));
    }
  }

  private boolean soaks(RolloutRow row) {
    RolloutPlan plan = RolloutTexts.wish(row.plan()).plan();
    return row.endedAt().isEmpty()
        && row.currentWave() > 0
        && Deciding.spec(tables, id, plan, row.currentWave()).soak().isPositive();
  }

  private void sayUnhealthy(RolloutRow row, Instant now) {
    List<TargetVerdict> unhealthy = health.unhealthy(row, now);
    if (!unhealthy.isEmpty()) {
      tables.targets().unhealthy(id, unhealthy);
    }
  }

  private Passed decide(RolloutWish wish, RolloutPlan plan, Uncertain uncertain, Instant now) {
    GoingBack.Back back = goingBack.begin(tables.rollouts().find(id).orElseThrow(), plan, now);
    // What is said from here on is news to the next pass, and ends its quiet.
    RolloutRow begun = tables.rollouts().find(id).orElseThrow();
    boolean mayLookAhead = !now.isBefore(aheadAt);
    aheadAt = mayLookAhead ? now.plus(RARELY) : aheadAt;
    Deciding deciding = new Deciding(tables, id, plan, silence, now, mayLookAhead);
    long before = System.nanoTime();
    Deciding.Decided decided = deciding.decide(still(begun, now), back.why());
    Duration pause = pause(Duration.ofNanos(System.nanoTime() - before));
    RolloutRow row = tables.rollouts().find(id).orElseThrow();
    quiet =
        decided
            .nobody()
            .map(wait ->
                still(begun, now)
                    .filter(wait::equals)
                    .flatMap(_ -> quiet)
                    .orElseGet(() ->
                        new Quiet(begun.revision(), begun.verdicts(), now.plus(pause), wait)));
    Steering steering = RolloutTexts.steering(row.steering());
    boolean mayStart = steering.mayStart();
    return new Passed(
        row,
        wish,
        steering,
        decided.counts(),
        decided.decision(),
        decided.lookAgain(),
        mayStart ? joined(uncertain.started(), decided.begun()) : decided.begun(),
        mayStart ? joined(uncertain.going(), decided.going()) : decided.going(),
        mayStart ? List.of() : uncertain.started(),
        mayStart ? List.of() : uncertain.going(),
        back);
  }

  private static Duration pause(Duration took) {
    Duration share = took.multipliedBy(SHARE);
    if (share.compareTo(RARELY) < 0) {
      return RARELY;
    }
    return share.compareTo(MOST_RARELY) < 0 ? share : MOST_RARELY;
  }

  private static List<TargetRow> joined(List<TargetRow> some, List<TargetRow> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  /// What nobody needs to ask again yet.
  private Optional<Wait> still(RolloutRow row, Instant now) {
    return quiet
        .filter(last ->
            last.revision() == row.revision()
                && last.verdicts() == row.verdicts()
                && now.isBefore(last.until())
                && last.why().until().filter(end -> !now.isBefore(end)).isEmpty())
        .map(Quiet::why);
  }
}
