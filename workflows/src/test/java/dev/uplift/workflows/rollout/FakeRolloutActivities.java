package dev.uplift.workflows.rollout;

import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// Ticks that say what a test wrote down; the last one again when there are no more.
final class FakeRolloutActivities implements RolloutSteps, RolloutRecords {
  private final Queue<RolloutProgress> script = new ConcurrentLinkedQueue<>();
  private final Supplier<Instant> now;
  final List<Instant> calls = new CopyOnWriteArrayList<>();
  final List<RolloutAction> actions = new CopyOnWriteArrayList<>();
  private final AtomicInteger failures = new AtomicInteger();

  FakeRolloutActivities(Supplier<Instant> now) {
    this.now = now;
  }

  /// The next attempts to tick end with an exception.
  void fails(int times) {
    failures.set(times);
  }

  FakeRolloutActivities returns(RolloutProgress... ticks) {
    script.addAll(List.of(ticks));
    return this;
  }

  @Override
  public RolloutProgress advance(RolloutInput input) {
    calls.add(now.get());
    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IllegalStateException("the database is away");
    }
    if (actions.stream().anyMatch(action -> action.action().toString().startsWith("abort"))) {
      return ended(RolloutOutcome.ABORTED, "aborted by " + actions.getLast().by());
    }
    RolloutProgress next = script.size() > 1 ? script.remove() : script.element();
    // Relative to now, which the script cannot know.
    return fromNow(next);
  }

  @Override
  public ActionResult applyAction(RolloutInput input, RolloutAction action) {
    boolean fresh = actions.stream().noneMatch(known -> known.id().equals(action.id()));
    if (fresh) {
      actions.add(action);
    }
    return action.reason().isEmpty()
        ? new ActionResult(false, "say why")
        : new ActionResult(true, action.action() + " by " + action.by());
  }

  List<Duration> intervals() {
    List<Duration> between = new ArrayList<>();
    for (int i = 1; i < calls.size(); i++) {
      between.add(Duration.between(calls.get(i - 1), calls.get(i)));
    }
    return between;
  }

  static RolloutProgress waitsForOperator(String sentence) {
    return tick(RolloutState.WAITING_APPROVAL, Optional.empty(), sentence, Optional.empty());
  }

  static RolloutProgress waits(Duration time, String sentence) {
    return tick(
        RolloutState.RUNNING, Optional.empty(), sentence, Optional.of(Instant.EPOCH.plus(time)));
  }

  static RolloutProgress ended(RolloutOutcome outcome, String sentence) {
    return tick(RolloutState.ENDED, Optional.of(outcome), sentence, Optional.empty());
  }

  private RolloutProgress fromNow(RolloutProgress rolloutProgress) {
    return tick(
        rolloutProgress.state(),
        rolloutProgress.outcome(),
        rolloutProgress.message(),
        rolloutProgress.recheckAt().map(at -> now.get().plus(Duration.between(Instant.EPOCH, at))));
  }

  private static RolloutProgress tick(
      RolloutState state,
      Optional<RolloutOutcome> outcome,
      String sentence,
      Optional<Instant> lookAgain) {
    return new RolloutProgress(state, 1, 3, outcome, "wait", sentence, lookAgain, 9, 1, 2, 0);
  }
}
