package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/// What holds an upgrade up until somebody says a word: until the deadline at most, also where that
/// is moved meanwhile.
final class Holds {
  private final Course course;
  private final Waits waits;

  Holds(Course course, Waits waits) {
    this.course = course;
    this.waits = waits;
  }

  void whilePaused(Step step, HostId host) {
    if (course.pausedBy().isPresent()) {
      Operator by = course.pausedBy().get();
      String sentence = "resume, before %s %s: paused by %s".formatted(step, host, by.inWords());
      until(WaitFor.RESUME, step, host, sentence, () -> course.pausedBy().isEmpty());
    }
  }

  /// Returns when it is said.
  ///
  /// @throws Stopped when it is not, or something else stops the upgrade
  void until(WaitFor what, Step step, HostId host, String sentence, BooleanSupplier said) {
    Wait wait = Waits.newWait(what, step, host, sentence, course.notAfter());
    while (true) {
      Instant end = course.notAfter();
      boolean answered =
          waits.until(
              wait.until(end),
              () -> said.getAsBoolean() || course.isStopped() || !course.notAfter().equals(end));
      course.goOn();
      if (!answered) {
        throw course.stop(Reason.deadline(end, "waited for " + sentence));
      }
      if (said.getAsBoolean()) {
        return;
      }
    }
  }
}
