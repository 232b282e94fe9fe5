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
final class FakeFleet implements RolloutSteps, RolloutRecords {
  private final Queue<Tick> script = new ConcurrentLinkedQueue<>();
  private final Supplier<Instant> now;
  final List<Instant> ticks = new CopyOnWriteArrayList<>();
  final List<SteerWish> wishes = new CopyOnWriteArrayList<>();
  private final AtomicInteger failures = new AtomicInteger();

  FakeFleet(Supplier<Instant> now) {
    this.now = now;
  }

  /// The next attempts to tick end with an exception.
  void fails(int times) {
    failures.set(times);
  }

  FakeFleet says(Tick... ticks) {
    script.addAll(List.of(ticks));
    return this;
  }

  @Override
  public Tick tick(RolloutStart start) {
    ticks.add(now.get());
    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IllegalStateException("the database is away");
    }
    if (wishes.stream().anyMatch(wish -> wish.what().toString().startsWith("abort"))) {
      return over(RolloutOutcome.ABORTED, "aborted by " + wishes.getLast().by());
    }
    Tick next = script.size() > 1 ? script.remove() : script.element();
    // Relative to now, which the script cannot know.
    return fromNow(next);
  }

  @Override
  public Steered steer(RolloutStart start, SteerWish wish) {
    boolean fresh = wishes.stream().noneMatch(known -> known.id().equals(wish.id()));
    if (fresh) {
      wishes.add(wish);
    }
    return wish.remark().isEmpty()
        ? new Steered(false, "say why")
        : new Steered(true, wish.what() + " by " + wish.by());
  }

  List<Duration> between() {
    List<Duration> between = new ArrayList<>();
    for (int i = 1; i < ticks.size(); i++) {
      between.add(Duration.between(ticks.get(i - 1), ticks.get(i)));
    }
    return between;
  }

  static Tick waitsForSomebody(String sentence) {
    return tick(RolloutState.WAITING_APPROVAL, Optional.empty(), sentence, Optional.empty());
  }

  static Tick waits(Duration time, String sentence) {
    return tick(
        RolloutState.RUNNING, Optional.empty(), sentence, Optional.of(Instant.EPOCH.plus(time)));
  }

  static Tick over(RolloutOutcome outcome, String sentence) {
    return tick(RolloutState.ENDED, Optional.of(outcome), sentence, Optional.empty());
  }

  private Tick fromNow(Tick tick) {
    return tick(
        tick.state(),
        tick.outcome(),
        tick.sentence(),
        tick.lookAgain().map(at -> now.get().plus(Duration.between(Instant.EPOCH, at))));
  }

  private static Tick tick(
      RolloutState state,
      Optional<RolloutOutcome> outcome,
      String sentence,
      Optional<Instant> lookAgain) {
    return new Tick(state, 1, 3, outcome, "wait", sentence, lookAgain, 9, 1, 2, 0);
  }
}
