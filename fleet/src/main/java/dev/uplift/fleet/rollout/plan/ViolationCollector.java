package dev.uplift.fleet.rollout.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Collects what is wrong with a plan, so that all of it is said at once.
public final class ViolationCollector {
  private final String pointer;
  private final List<PlanViolation> found;

  private ViolationCollector(String pointer, List<PlanViolation> found) {
    this.pointer = pointer;
    this.found = found;
  }

  public static ViolationCollector create() {
    return new ViolationCollector("", new ArrayList<>());
  }

  /// Collects into the same list, with pointers below `field`.
  ViolationCollector under(String field) {
    return new ViolationCollector(pointer + "/" + field, found);
  }

  public void require(boolean right, String field, String detail) {
    if (!right) {
      found.add(new PlanViolation(pointer + "/" + field, detail));
    }
  }

  void requireAtLeast(long least, String field, long value) {
    require(value >= least, field, "expected at least %d, found %d".formatted(least, value));
  }

  void requireWithin(long least, long most, String field, long value) {
    require(value >= least && value <= most, field, "expected %d to %d, found %d".formatted(least, most, value));
  }

  void requireWithin(Duration most, String field, Duration value) {
    requireWithin(0, most.toSeconds(), field, value.toSeconds());
  }

  void requireNotBlank(String field, String value, String example) {
    require(!value.isBlank(), field, "is empty; expected " + example);
  }

  public List<PlanViolation> violations() {
    return List.copyOf(found);
  }
}
