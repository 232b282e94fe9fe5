package dev.uplift.activities.host;

import static java.util.Objects.requireNonNull;

import dev.uplift.store.CommandRow;
import dev.uplift.store.Waiter;
import dev.uplift.workflows.device.Answer;
import dev.uplift.workflows.device.HostSteps;
import dev.uplift.workflows.device.Order;
import dev.uplift.workflows.device.Sight;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInfo;
import java.util.Optional;
import java.util.function.Function;

/// Sends the command for an order and lets go; the [Bridge] ends the wait, or for a heartbeat the
/// [Lookout].
public final class HostStepsOverNats implements HostSteps {
  private final CommandBook book;
  private final CommandSender sender;
  private final Lookout lookout;
  private final Sights sights;

  HostStepsOverNats(CommandBook book, CommandSender sender, Lookout lookout, Sights sights) {
    this.book = book;
    this.sender = sender;
    this.lookout = lookout;
    this.sights = sights;
  }

  @Override
  public Answer prepare(Order order) {
    return command(order);
  }

  @Override
  public Answer upgrade(Order order) {
    return command(order);
  }

  @Override
  public Answer reboot(Order order) {
    return command(order);
  }

  @Override
  public Answer commit(Order order) {
    return command(order);
  }

  @Override
  public Answer rollback(Order order) {
    return command(order);
  }

  @Override
  public Answer inspect(Order order) {
    return command(order);
  }

  /// An agent that ends may not come to say so. Who then works is seen.
  @Override
  public Answer stop(Order order) {
    return command(order, this::seen);
  }

  private Answer command(Order order) {
    return command(order, _ -> Optional.empty());
  }

  private Answer command(Order order, Function<Order, Optional<Answer>> seen) {
    return Attempt.ofCommand(() -> {
      CommandRow row = book.await(order, waiter());
      Optional<Answer> known = Answers.known(row).or(() -> seen.apply(order));
      if (known.isPresent()) {
        return known.get();
      }
      sender.send(order, row);
      return answeredLater();
    });
  }

  @Override
  public Answer awaitStandby(Order order) {
    return beat(order);
  }

  @Override
  public Answer awaitHeartbeat(Order order) {
    return beat(order);
  }

  private Answer beat(Order order) {
    return Attempt.of(() -> seen(order).orElseGet(HostStepsOverNats::answeredLater));
  }

  /// What is seen up to now; from now on the [Lookout] ends the wait, too.
  private Optional<Answer> seen(Order order) {
    return lookout.await(sights.expectation(order, waiter()));
  }

  @Override
  public Sight look(Order order) {
    return Attempt.of(() -> sights.of(order));
  }

  @Override
  public void cancel(Order order, Order inWork) {
    Attempt.of(() -> {
      Optional<CommandRow> cancel = book.cancel(order, inWork);
      cancel.ifPresent(row -> sender.send(order, row));
      return cancel;
    });
  }

  private static Waiter waiter() {
    ActivityInfo info = Activity.getExecutionContext().getInfo();
    // Null only for an activity that no workflow has called.
    return new Waiter(requireNonNull(info.getWorkflowId()), info.getActivityId());
  }

  /// To be called last: an exception before it is a failed attempt and is tried again. Temporal
  /// throws away what the activity then returns.
  @SuppressWarnings("NullAway")
  private static Answer answeredLater() {
    Activity.getExecutionContext().doNotCompleteOnReturn();
    return null;
  }
}
