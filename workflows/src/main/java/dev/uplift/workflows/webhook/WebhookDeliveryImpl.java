package dev.uplift.workflows.webhook;

import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.function.Supplier;

/// Has events sent, waits until there are more or the receiver may be tried again, and has events sent again.
public final class WebhookDeliveryImpl implements WebhookDelivery {
  /// After so many a run continues as new: its history has some thousand events by then.
  static final int MAX_DELIVERIES = 300;

  /// Bound for a wait for a signal. The removal of its tenant sends none.
  static final Duration MAX_WAIT = Duration.ofDays(1);

  private final WebhookSteps steps = Workflow.newActivityStub(WebhookSteps.class, WebhookTimeouts.stepOptions());

  /// True if there are events since events were last sent.
  private boolean hasNewEvents;

  /// True if a person has changed the webhook since then.
  private boolean isChanged;

  @Override
  public void run(WebhookInput input) {
    for (int deliveries = 0; !isLong(deliveries); deliveries++) {
      hasNewEvents = false;
      isChanged = false;
      WebhookReport report = steps.deliver(input);
      Workflow.setCurrentDetails(report.message());
      if (!report.enabled() && !isChanged) {
        return;
      }
      if (report.retryAfter().isPresent()) {
        await(report.retryAfter().get(), "the receiver is tried again", () -> isChanged);
      } else if (!report.hasMore()) {
        await(MAX_WAIT, "whether the webhook still exists is looked up", () -> hasNewEvents || isChanged);
      }
    }
    // The next run looks first whether there is anything to send.
    Workflow.continueAsNew(input);
  }

  private static boolean isLong(int deliveries) {
    return deliveries >= MAX_DELIVERIES || Workflow.getInfo().isContinueAsNewSuggested();
  }

  /// @param then what follows when the time has passed, for people
  private static void await(Duration atMost, String then, Supplier<Boolean> isTold) {
    if (isTold.get()) {
      return;
    }
    CancellationScope timed =
        Workflow.newCancellationScope(scope -> {
          Promise<Void> timer = Workflow.newTimer(atMost, TimerOptions.newBuilder().setSummary(then).build());
          Workflow.await(() -> isTold.get() || timer.isCompleted());
          // The timer would stay.
          scope.cancel();
        });
    timed.run();
  }

  @Override
  public void deliver() {
    hasNewEvents = true;
  }

  @Override
  public void recheck() {
    isChanged = true;
  }
}
