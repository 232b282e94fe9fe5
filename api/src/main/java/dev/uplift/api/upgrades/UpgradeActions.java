package dev.uplift.api.upgrades;

import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Phase;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.PendingWait;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import dev.uplift.workflows.device.UpgradeStatus;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.Collectors;

/// Hands what people want to a running upgrade, which decides; and foretells what it would decide.
@Singleton
final class UpgradeActions {
  private final UpgradeWorkflowClient control;

  UpgradeActions(UpgradeWorkflowClient control) {
    this.control = control;
  }

  UpdateResult execute(UpgradeRow row, UpgradeAction upgradeAction, String who) {
    DeviceId device = row.device();
    Operator by = new Operator(who, upgradeAction.reason());
    return switch (upgradeAction.kind()) {
      case ABORT -> control.abort(device, row.id(), by);
      case PAUSE -> control.pause(device, row.id(), by);
      case RESUME -> control.resume(device, row.id(), by);
      case RETRY_STEP -> control.retryStep(device, row.id(), host(row, upgradeAction), by);
      case SKIP_HOST -> control.skipHost(device, row.id(), host(row, upgradeAction), by);
      case EXTEND_DEADLINE ->
          control.extendDeadline(device, row.id(), upgradeAction.notAfter().orElseThrow(), by);
      case APPROVE -> control.approve(device, row.id(), by);
      case DENY -> control.deny(device, row.id(), by);
    };
  }

  /// Says that it would be done, or refuses it as the upgrade would.
  String validate(UpgradeRow row, UpgradeAction upgradeAction) {
    UpgradeStatus upgradeStatus = status(row);
    boolean goesBack =
        upgradeStatus.phase() == Phase.ROLLBACK || upgradeStatus.phase() == Phase.ENDED;
    switch (upgradeAction.kind()) {
      case ABORT -> refuseIf(goesBack, "it goes back already");
      case PAUSE -> {
        refuseIf(goesBack, "it goes back, which is not paused");
        refuseIf(upgradeStatus.pausedBy().isPresent(), "it is paused already");
      }
      case RESUME -> refuseIf(upgradeStatus.pausedBy().isEmpty(), "it is not paused");
      case RETRY_STEP, SKIP_HOST -> {
        HostId host =
            upgradeAction.host().orElseGet(() -> requireOnly(hostsAwaitingOperator(upgradeStatus)));
        refuseIf(
            !hostsAwaitingOperator(upgradeStatus).contains(host),
            host + " does not wait for a person");
      }
      case EXTEND_DEADLINE -> {
        refuseIf(goesBack, "it goes back already");
        refuseIf(
            !upgradeAction.notAfter().orElseThrow().isAfter(upgradeStatus.notAfter()),
            "it has until " + upgradeStatus.notAfter() + " already");
      }
      case APPROVE, DENY -> {
        refuseIf(goesBack, "it goes back already");
        refuseIf(StoredUpgradePlan.of(row).author().isEmpty(), "it needs no approval");
        refuseIf(upgradeStatus.phase() == Phase.UPGRADE, "it is approved already");
      }
    }
    return upgradeAction.kind() + " would be done";
  }

  /// 403: the word of another person is asked for.
  static void requireOtherThanAuthor(UpgradeRow row, UpgradeAction upgradeAction, String who) {
    boolean asks =
        upgradeAction.kind() == UpgradeAction.Kind.APPROVE
            || upgradeAction.kind() == UpgradeAction.Kind.DENY;
    if (asks && StoredUpgradePlan.of(row).author().filter(who::equals).isPresent()) {
      throw ProblemException.of(
          HttpStatus.FORBIDDEN, "needs the word of another person than %s".formatted(who));
    }
  }

  static void throwEnded(UpgradeRow row, UpgradeEnd end) {
    String why = end.reason().map(reason -> " (" + reason.text() + ")").orElse("");
    throw ProblemException.conflict(
        "the upgrade %s has ended: %s%s"
            .formatted(row.id(), ValueReaders.enumWord(end.outcome()), why));
  }

  private HostId host(UpgradeRow row, UpgradeAction upgradeAction) {
    return upgradeAction.host().orElseGet(() -> requireOnly(hostsAwaitingOperator(status(row))));
  }

  private UpgradeStatus status(UpgradeRow row) {
    return control
        .status(row.device(), row.id())
        .orElseThrow(() ->
            ProblemException.conflict(
                "the upgrade %s is just beginning or ending; try again".formatted(row.id())));
  }

  private static List<HostId> hostsAwaitingOperator(UpgradeStatus upgradeStatus) {
    return upgradeStatus.waits().stream()
        .filter(pendingWait -> pendingWait.reason() == UpgradeWaitReason.PERSON)
        .map(PendingWait::host)
        .toList();
  }

  private static HostId requireOnly(List<HostId> waiting) {
    if (waiting.isEmpty()) {
      throw ProblemException.conflict("no host waits for a person");
    }
    if (waiting.size() > 1) {
      String names = waiting.stream().map(HostId::value).collect(Collectors.joining(", "));
      throw ProblemException.badRequest(
          RequestError.atPointer("/host", "is missing: several hosts wait: " + names));
    }
    return waiting.getFirst();
  }

  private static void refuseIf(boolean wrong, String why) {
    if (wrong) {
      throw ProblemException.conflict(why);
    }
  }
}
