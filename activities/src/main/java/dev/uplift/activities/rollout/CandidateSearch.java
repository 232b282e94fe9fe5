package dev.uplift.activities.rollout;

import dev.uplift.activities.rollout.CandidateSelector.CandidatePage;
import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.plan.WindowRule;
import dev.uplift.fleet.rollout.start.StartSelection;
import dev.uplift.store.rollout.TargetRow.QueuePosition;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Where the search for devices that may start is in the queue. It continues from pass to pass where it ended, so any
/// number of blocked devices is passed over in pieces, and no device behind them is forgotten. For one activity
/// execution.
final class CandidateSearch {
  private final SearchBounds bounds;
  private QueuePosition position = QueuePosition.FIRST;

  /// True while all devices from the first one to `position` were found blocked.
  private boolean fromFirst = true;

  private StartSelection blocked = StartSelection.NONE;
  private Duration spent = Duration.ZERO;

  /// How much is searched at once.
  ///
  /// @param minPage so many devices are read at least
  /// @param maxPage so many are read at most, by a few statements
  /// @param perPass how long a pass searches on after the lock of the rollout is released
  record SearchBounds(int minPage, int maxPage, Duration perPass) {
    static final SearchBounds DEFAULTS = new SearchBounds(50, 500, Duration.ofSeconds(2));

    private int pageSize(Start limits) {
      return Math.clamp(2L * Math.min(limits.maxStarts(), limits.maxTotal()), minPage, maxPage);
    }
  }

  /// All devices of the queue are blocked.
  ///
  /// @param selection why
  /// @param spent how long the search took
  record NoneFound(StartSelection selection, Duration spent) {}

  CandidateSearch(SearchBounds bounds) {
    this.bounds = bounds;
  }

  /// The page that is next. To be selected from under the lock of the rollout.
  CandidatePage nextPage(CandidateSelector selector, Start limits) {
    return selector.page(position, bounds.pageSize(limits));
  }

  /// Some devices of the page are started; the others are considered again.
  void found() {
    fromFirst = position.equals(QueuePosition.FIRST);
    blocked = StartSelection.NONE;
    spent = Duration.ZERO;
  }

  /// All devices of the page are blocked. Returns a result if those of the whole queue are.
  Optional<NoneFound> pass(CandidatePage page, StartSelection why, Duration took) {
    blocked = blocked.withBlocked(why.blocked());
    spent = spent.plus(took);
    if (!page.isLast()) {
      position = page.end();
      return Optional.empty();
    }
    Optional<NoneFound> none = Optional.of(new NoneFound(blocked, spent)).filter(_ -> fromFirst);
    position = QueuePosition.FIRST;
    fromFirst = true;
    blocked = StartSelection.NONE;
    spent = Duration.ZERO;
    return none;
  }

  /// Passes over blocked devices until one is found that may start, which the next pass selects under the lock. Holds
  /// no lock itself. Returns a result if all devices of the queue are blocked.
  ///
  /// @param mayContinue asked between pages
  /// @param found receives what was found of each page
  Optional<NoneFound> searchOn(
      CandidateSelector selector,
      Start limits,
      WindowRule rule,
      Instant now,
      BooleanSupplier mayContinue,
      Consumer<StartSelection> found) {
    long begin = System.nanoTime();
    do {
      long before = System.nanoTime();
      CandidatePage page = selector.page(position, bounds.maxPage());
      StartSelection next = GroupLimits.selectWithoutGroups(page.candidates(), limits, rule, now);
      found.accept(next);
      if (!next.isEmpty()) {
        stopBefore(page, next, limits, rule, now);
        return Optional.empty();
      }
      Optional<NoneFound> none = pass(page, next, Duration.ofNanos(System.nanoTime() - before));
      if (none.isPresent()) {
        return none;
      }
    } while (System.nanoTime() - begin < bounds.perPass().toNanos() && mayContinue.getAsBoolean());
    return Optional.empty();
  }

  private void stopBefore(CandidatePage page, StartSelection next, Start limits, WindowRule rule, Instant now) {
    CandidatePage before = page.before(next.first(page.candidates()));
    if (!before.rows().isEmpty()) {
      StartSelection why = GroupLimits.selectWithoutGroups(before.candidates(), limits, rule, now);
      var _ = pass(before, why, Duration.ZERO);
    }
  }
}
