package dev.uplift.workflows.device;

import static dev.uplift.fleet.Step.UPGRADE;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.rollout.WindowRule.OnClose;
import io.temporal.workflow.Async;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Whether a host may be touched yet: that somebody has approved, that the rollout has said go, and
/// that a window is open. Costs nothing where none of it is asked for.
final class Clearance {
  /// Whoever changes a window says so; this is for when that got lost.
  private static final Duration LOOK_AGAIN = Duration.ofHours(1);

  /// Our clock and that of the records need not agree about the instant at which a window opens.
  private static final Duration NOT_BEFORE = Duration.ofSeconds(1);

  private final UpgradePlan plan;
  private final Course course;
  private final Hosts hosts;
  private final Waits waits;
  private final Holds holds;
  private final DeviceRecords records;
  private Optional<Operator> approvedBy = Optional.empty();
  private Optional<Go> go = Optional.empty();
  private boolean woken;
  private @Nullable Reason shut;

  Clearance(UpgradePlan plan, Course course, Hosts hosts, Waits waits, DeviceRecords records) {
    this.plan = plan;
    this.course = course;
    this.hosts = hosts;
    this.waits = waits;
    this.holds = new Holds(course, waits);
    this.records = records;
  }

  /// Returns when the first host may be touched.
  ///
  /// @param waiting runs when that is not at once
  /// @throws Stopped when it will not be
  void await(HostId first, Runnable waiting) {
    if (plan.approval().isEmpty() && plan.window().isEmpty()) {
      return;
    }
    do {
      holds.whilePaused(UPGRADE, first);
      awaitApproval(first, waiting);
      plan.window()
          .ifPresent(terms -> {
            awaitGo(terms, first, waiting);
            awaitWindow(terms, first, waiting);
          });
    } while (course.pausedBy().isPresent());
  }

  private void awaitApproval(HostId host, Runnable waiting) {
    if (plan.approval().isPresent() && approvedBy.isEmpty()) {
      waiting.run();
      String sentence =
          "another person than %s to approve it".formatted(plan.approval().get().author());
      holds.until(WaitFor.APPROVAL, UPGRADE, host, sentence, () -> approvedBy.isPresent());
    }
  }

  private void awaitGo(WindowTerms terms, HostId host, Runnable waiting) {
    if (terms.awaitGo() && go.isEmpty()) {
      waiting.run();
      String sentence = plan.startedBy() + " to let it go on, once its window is open";
      holds.until(WaitFor.GO, UPGRADE, host, sentence, () -> go.isPresent());
    }
  }

  private void awaitWindow(WindowTerms terms, HostId host, Runnable waiting) {
    Instant since = Waits.now();
    WindowSight sight = look(terms, need(terms), course.notAfter());
    while (!sight.open()) {
      waiting.run();
      rest(host, sight, since);
      if (course.isLate()) {
        throw course.stop(Reason.deadline(course.notAfter(), "waited for " + sight.sentence()));
      }
      sight = look(terms, need(terms), course.notAfter());
    }
    course.touchBy(sight.closes());
  }

  /// Until it may have changed what the windows say.
  private void rest(HostId host, WindowSight sight, Instant since) {
    Wait wait =
        new Wait(
            WaitFor.WINDOW,
            UPGRADE,
            host,
            sight.sentence(),
            WaitFor.WINDOW.from(host),
            since,
            sight.opens().or(() -> Optional.of(course.notAfter())));
    Instant end = earliest(sight.opens(), Optional.of(course.notAfter()));
    waits.during(wait, () -> sleep(end, sight.sentence(), course::isStopped));
    course.goOn();
  }

  private boolean sleep(Instant end, String summary, BooleanSupplier met) {
    return Waits.sleep(end, summary, () -> woken || met.getAsBoolean());
  }

  /// Not at once, but within an hour.
  private static Instant earliest(Optional<Instant> change, Optional<Instant> deadline) {
    Instant now = Waits.now();
    Instant end =
        Stream.of(change, deadline, Optional.of(now.plus(LOOK_AGAIN)))
            .flatMap(Optional::stream)
            .min(Instant::compareTo)
            .orElseThrow();
    Instant least = now.plus(NOT_BEFORE);
    return end.isBefore(least) ? least : end;
  }

  /// The window that it was let into has room for all of it: what has passed of it since was part
  /// of that. Of any other one there has to be enough left.
  private Duration need(WindowTerms terms) {
    Optional<Instant> letIn = go.map(Go::openUntil).orElse(terms.openUntil());
    return letIn.filter(end -> Waits.now().isBefore(end)).isPresent()
        ? Duration.ZERO
        : terms.takes();
  }

  /// Whether it is still open, also where the deadline is past: what is in work outlasts it.
  private WindowSight look(WindowTerms terms) {
    return look(terms, Duration.ZERO, Waits.now().plus(LOOK_AGAIN));
  }

  private WindowSight look(WindowTerms terms, Duration need, Instant before) {
    woken = false;
    WindowSight sight = records.window(plan.device(), terms.besides(), need, before);
    course.goOn();
    return sight;
  }

  /// Returns when the host may be touched, as another one was before.
  ///
  /// @throws Skipped when the window has closed and it is to stay as it is
  void next(HostId host) {
    if (plan.window().isPresent() && hosts.isAnyTouched()) {
      switch (plan.window().get().onClose()) {
        case FINISH -> course.touchBy(Optional.empty());
        case STOP_BEFORE_NEXT_HOST -> stayUnlessOpen(plan.window().get(), host);
        case ROLL_BACK -> {
          // Somebody watches.
        }
      }
    }
  }

  private void stayUnlessOpen(WindowTerms terms, HostId host) {
    holds.whilePaused(UPGRADE, host);
    if (shut == null) {
      WindowSight sight = look(terms);
      if (sight.open()) {
        course.touchBy(sight.closes());
        return;
      }
      shut = Reason.windowClosed(host + " and those after it were not begun");
    }
    hosts.skip(host, shut);
    course.excuse(shut);
    throw new Skipped();
  }

  /// Says once that the window has closed, if it does while the device is in work and is then to go
  /// back.
  void watch(Consumer<Reason> closed) {
    plan.window()
        .filter(terms -> terms.onClose() == OnClose.ROLL_BACK)
        .ifPresent(terms -> Async.procedure(() -> watch(terms, closed)));
  }

  private void watch(WindowTerms terms, Consumer<Reason> closed) {
    Optional<Instant> closes = course.touchedBy();
    while (course.canBeStopped()) {
      sleep(
          earliest(closes, Optional.empty()), "its window to close", () -> !course.canBeStopped());
      if (course.canBeStopped()) {
        WindowSight sight = look(terms);
        closes = sight.closes();
        if (!sight.open() && course.canBeStopped()) {
          closed.accept(Reason.windowClosed("it was in work"));
        }
      }
    }
  }

  boolean isApproved() {
    return approvedBy.isPresent();
  }

  void approve(Operator by) {
    approvedBy = Optional.of(by);
  }

  /// Whatever it waits for first. Said twice it counts once.
  void proceed(Go said) {
    go = go.or(() -> Optional.of(said));
  }

  /// Windows, or the deadline, may have changed.
  void lookAgain() {
    woken = true;
  }
}
