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

  private Answer command(Order order) {
    return Attempt.ofCommand(() -> {
      CommandRow row = book.await(order, waiter());
      Optional<Answer> known = Answers.known(row);
      if (known.isPresent()) {
        return known.get();
      }
      sender.send(order, row);
      return answeredLater();
    });
  }

  @Override
  public Answer awaitHeartbeat(Order order) {
    return Attempt.of(() ->
        lookout
            .await(sights.expectation(order, waiter()))
            .orElseGet(HostStepsOverNats::answeredLater));
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
