package dev.uplift.fleet.rollout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Collects what is wrong with a plan, so that all of it is said at once.
final class Faults {
  private final String place;
  private final List<Fault> found;

  private Faults(String place, List<Fault> found) {
    this.place = place;
    this.found = found;
  }

  static Faults none() {
    return new Faults("", new ArrayList<>());
  }

  /// The same collection, seen from a field further inside.
  Faults in(String field) {
    return new Faults(place + "/" + field, found);
  }

  void expect(boolean right, String field, String detail) {
    if (!right) {
      found.add(new Fault(place + "/" + field, detail));
    }
  }

  void atLeast(long least, String field, long value) {
    expect(value >= least, field, "expected at least %d, found %d".formatted(least, value));
  }

  void within(long least, long most, String field, long value) {
    expect(
        value >= least && value <= most,
        field,
        "expected %d to %d, found %d".formatted(least, most, value));
  }

  void within(Duration most, String field, Duration value) {
    within(0, most.toSeconds(), field, value.toSeconds());
  }

  void notBlank(String field, String value, String example) {
    expect(!value.isBlank(), field, "is empty; expected " + example);
  }

  List<Fault> all() {
    return List.copyOf(found);
  }
}
