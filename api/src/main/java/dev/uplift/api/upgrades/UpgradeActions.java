package dev.uplift.api.upgrades;

import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.fleet.CallerName;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.UpgradeAction;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.UpgradeStatus;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Collectors;

/// Sends operators' actions to running upgrades, or says in advance what they would answer.
@Singleton
final class UpgradeActions {
  private final UpgradeWorkflowClient workflows;
  private final InstantSource clock;

  UpgradeActions(UpgradeWorkflowClient workflows, InstantSource clock) {
    this.workflows = workflows;
    this.clock = clock;
  }

  UpdateResult execute(UpgradeRow row, RequestedAction action, String by) {
    return workflows.update(row.device(), row.id(), upgradeAction(row, action, by), new Operator(by, action.reason()));
  }

  /// Returns that the action would be done, or refuses it in the words of the upgrade.
  String validate(UpgradeRow row, RequestedAction action, String by) {
    UpgradeAction wanted = upgradeAction(row, action, by);
    status(row)
        .refusal(wanted, clock.instant())
        .ifPresent(why -> {
          throw ProblemException.conflict(why);
        });
    return action.kind() + " would be done";
  }

  private UpgradeAction upgradeAction(UpgradeRow row, RequestedAction action, String by) {
    return switch (action.kind()) {
      case ABORT -> new UpgradeAction.Abort();
      case PAUSE -> new UpgradeAction.Pause();
      case RESUME -> new UpgradeAction.Resume();
      case RETRY_STEP -> new UpgradeAction.RetryStep(host(row, action));
      case SKIP_HOST -> new UpgradeAction.SkipHost(host(row, action));
      case EXTEND_DEADLINE -> new UpgradeAction.ExtendDeadline(action.notAfter().orElseThrow());
      case APPROVE -> new UpgradeAction.Approve(by);
      case DENY -> new UpgradeAction.Deny(by);
    };
  }

  /// Refuses with 403 what only another person than the author may do.
  static void requireOtherThanAuthor(UpgradeRow row, RequestedAction action, String by) {
    boolean decides = action.kind() == RequestedAction.Kind.APPROVE || action.kind() == RequestedAction.Kind.DENY;
    if (decides
        && StoredUpgradePlan.of(row).author().filter(name -> CallerName.maybeSamePerson(name, by)).isPresent()) {
      throw ProblemException.of(HttpStatus.FORBIDDEN, "needs the approval of another person than " + by);
    }
  }

  static void throwEnded(UpgradeRow row, UpgradeEnd end) {
    String why = end.reason().map(reason -> " (" + reason.text() + ")").orElse("");
    throw ProblemException.conflict(
        "the upgrade %s has ended: %s%s".formatted(row.id(), ValueReaders.enumWord(end.outcome()), why));
  }

  private HostId host(UpgradeRow row, RequestedAction action) {
    return action.host().orElseGet(() -> requireOnly(status(row).state().awaitingOperator()));
  }

  private UpgradeStatus status(UpgradeRow row) {
    return workflows
        .status(row.device(), row.id())
        .orElseThrow(() ->
            ProblemException.conflict("the upgrade %s is just beginning or ending; try again".formatted(row.id())));
  }

  private static HostId requireOnly(List<HostId> waiting) {
    if (waiting.isEmpty()) {
      throw ProblemException.conflict("no host waits for an operator's decision");
    }
    if (waiting.size() > 1) {
      String names = waiting.stream().map(HostId::value).collect(Collectors.joining(", "));
      throw ProblemException.badRequest(RequestError.atPointer("/host", "is missing: several hosts wait: " + names));
    }
    return waiting.getFirst();
  }
}
