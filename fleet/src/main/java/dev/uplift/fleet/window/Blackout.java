package dev.uplift.fleet.window;

import java.time.LocalDate;

/// Local dates on which a window is closed, both ends included.
public record Blackout(LocalDate first, LocalDate last) implements Comparable<Blackout> {
  public Blackout {
    if (last.isBefore(first)) {
      throw new IllegalArgumentException("expected the first date before the last, found %s/%s".formatted(first, last));
    }
  }

  @Override
  public int compareTo(Blackout other) {
    int byFirst = first.compareTo(other.first);
    return byFirst != 0 ? byFirst : last.compareTo(other.last);
  }
}
