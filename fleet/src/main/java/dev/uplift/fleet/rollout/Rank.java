package dev.uplift.fleet.rollout;

import java.time.Instant;
import java.util.Comparator;

/// Which of two rollouts gets a device that both want: the one with the higher priority, then the
/// older one.
public record Rank(int priority, Instant createdAt, String rollout) implements Comparable<Rank> {
  private static final Comparator<Rank> FIRST_COMES_FIRST =
      Comparator.comparingInt(Rank::priority)
          .reversed()
          .thenComparing(Rank::createdAt)
          .thenComparing(Rank::rollout);

  @Override
  public int compareTo(Rank other) {
    return FIRST_COMES_FIRST.compare(this, other);
  }

  public boolean comesBefore(Rank other) {
    return compareTo(other) < 0;
  }
}
