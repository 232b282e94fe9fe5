package dev.uplift.fleet.rollout;

import java.time.Instant;
import java.util.Comparator;

/// Which of two rollouts gets a device that both want: the one with the higher priority, then the older one.
public record RolloutPrecedence(int priority, Instant createdAt, String rollout)
    implements Comparable<RolloutPrecedence> {
  private static final Comparator<RolloutPrecedence> ORDER =
      Comparator.comparingInt(RolloutPrecedence::priority)
          .reversed()
          .thenComparing(RolloutPrecedence::createdAt)
          .thenComparing(RolloutPrecedence::rollout);

  @Override
  public int compareTo(RolloutPrecedence other) {
    return ORDER.compare(this, other);
  }

  public boolean comesBefore(RolloutPrecedence other) {
    return compareTo(other) < 0;
  }
}
