package dev.uplift.activities.reconciler;

import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.store.DatabaseUnavailable;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a defect met at one item of a reconciler from the items after it: a row that cannot be read, or that cannot be
/// reconciled. One for each reconciler; safe for any number of threads.
///
/// An item that fails again and again is an error in the log once, until it succeeds.
public final class FaultIsolation {
  private static final Logger LOG = LoggerFactory.getLogger(FaultIsolation.class);

  /// A defect that concerns more items is logged more often than once for each.
  private static final int MAX_REMEMBERED = 10_000;

  private final String kind;
  private final Set<Object> failing = ConcurrentHashMap.newKeySet();

  /// @param kind of the items, in the singular, for the log
  public FaultIsolation(String kind) {
    this.kind = kind;
  }

  /// Begins a pass over the items.
  public IsolatedPass beginPass() {
    return new IsolatedPass();
  }

  /// One pass over the items. May be used by several threads at once.
  public final class IsolatedPass {
    private final ConcurrentLinkedQueue<RuntimeException> failures = new ConcurrentLinkedQueue<>();

    private IsolatedPass() {}

    /// Runs the action, which is about this item. If it fails, returns nevertheless, and [#end] throws.
    ///
    /// @param item its identity, which is equal in every pass
    /// @throws TemporalUnavailable if the action does: the items after this one would fail for this reason, too
    /// @throws DatabaseUnavailable likewise
    /// @throws NatsUnavailable likewise
    public void run(Object item, Runnable action) {
      try {
        action.run();
        failing.remove(item);
      } catch (TemporalUnavailable | DatabaseUnavailable | NatsUnavailable e) {
        throw e;
      } catch (RuntimeException e) {
        failures.add(e);
        log(item, e);
      }
    }

    /// Ends the pass.
    ///
    /// @throws IncompletePass if an item failed; its cause is the first failure
    public void end() {
      Optional.ofNullable(failures.peek())
          .ifPresent(first -> {
            throw new IncompletePass("%d x %s failed, first: %s".formatted(failures.size(), kind, first), first);
          });
    }
  }

  private void log(Object item, RuntimeException e) {
    if (failing.size() >= MAX_REMEMBERED) {
      failing.clear();
    }
    if (failing.add(item)) {
      LOG.error("{} {} fails and is tried again in each run", kind, item, e);
    }
  }
}
