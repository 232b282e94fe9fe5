package dev.uplift.api.upgrades;

import dev.uplift.activities.temporal.Steered;
import dev.uplift.activities.temporal.Steering;
import dev.uplift.api.json.Shapes;
import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Phase;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.store.UpgradeRow;
import dev.uplift.workflows.device.Operator;
import dev.uplift.workflows.device.Status;
import dev.uplift.workflows.device.Wait;
import dev.uplift.workflows.device.WaitFor;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.Collectors;

/// Hands what people want to a running upgrade, which decides; and foretells what it would decide.
@Singleton
final class Helm {
  private final Steering steering;

  Helm(Steering steering) {
    this.steering = steering;
  }

  Steered tell(UpgradeRow row, Wish wish, String who) {
    DeviceId device = row.device();
    Operator by = new Operator(who, wish.reason());
    return switch (wish.kind()) {
      case ABORT -> steering.abort(device, row.id(), by);
      case PAUSE -> steering.pause(device, row.id(), by);
      case RESUME -> steering.resume(device, row.id(), by);
      case RETRY_STEP -> steering.retryStep(device, row.id(), host(row, wish), by);
      case SKIP_HOST -> steering.skipHost(device, row.id(), host(row, wish), by);
      case EXTEND_DEADLINE ->
          steering.extendDeadline(device, row.id(), wish.notAfter().orElseThrow(), by);
      case APPROVE -> steering.approve(device, row.id(), by);
      case DENY -> steering.deny(device, row.id(), by);
    };
  }

  /// Says that it would be done, or refuses it as the upgrade would.
  String check(UpgradeRow row, Wish wish) {
    Status status = status(row);
    boolean goesBack = status.phase() == Phase.ROLLBACK || status.phase() == Phase.ENDED;
    switch (wish.kind()) {
      case ABORT -> refuseIf(goesBack, "it goes back already");
      case PAUSE -> {
        refuseIf(goesBack, "it goes back, which is not paused");
        refuseIf(status.pausedBy().isPresent(), "it is paused already");
      }
      case RESUME -> refuseIf(status.pausedBy().isEmpty(), "it is not paused");
      case RETRY_STEP, SKIP_HOST -> {
        HostId host = wish.host().orElseGet(() -> onlyOne(waiting(status)));
        refuseIf(!waiting(status).contains(host), host + " does not wait for a person");
      }
      case EXTEND_DEADLINE -> {
        refuseIf(goesBack, "it goes back already");
        refuseIf(
            !wish.notAfter().orElseThrow().isAfter(status.notAfter()),
            "it has until " + status.notAfter() + " already");
      }
      case APPROVE, DENY -> {
        refuseIf(goesBack, "it goes back already");
        refuseIf(Plan.of(row).author().isEmpty(), "it needs no approval");
        refuseIf(status.phase() == Phase.UPGRADE, "it is approved already");
      }
    }
    return wish.kind() + " would be done";
  }

  /// 403: the word of another person is asked for.
  static void refuseTheAuthor(UpgradeRow row, Wish wish, String who) {
    boolean asks = wish.kind() == Wish.Kind.APPROVE || wish.kind() == Wish.Kind.DENY;
    if (asks && Plan.of(row).author().filter(who::equals).isPresent()) {
      throw Refusal.of(
          HttpStatus.FORBIDDEN, "needs the word of another person than %s".formatted(who));
    }
  }

  static void refuseEnded(UpgradeRow row, UpgradeEnd end) {
    String why = end.why().map(reason -> " (" + reason.text() + ")").orElse("");
    throw Refusal.conflict(
        "the upgrade %s has ended: %s%s".formatted(row.id(), Shapes.word(end.outcome()), why));
  }

  private HostId host(UpgradeRow row, Wish wish) {
    return wish.host().orElseGet(() -> onlyOne(waiting(status(row))));
  }

  private Status status(UpgradeRow row) {
    return steering
        .status(row.device(), row.id())
        .orElseThrow(() ->
            Refusal.conflict(
                "the upgrade %s is just beginning or ending; try again".formatted(row.id())));
  }

  private static List<HostId> waiting(Status status) {
    return status.waits().stream()
        .filter(wait -> wait.what() == WaitFor.PERSON)
        .map(Wait::host)
        .toList();
  }

  private static HostId onlyOne(List<HostId> waiting) {
    if (waiting.isEmpty()) {
      throw Refusal.conflict("no host waits for a person");
    }
    if (waiting.size() > 1) {
      String names = waiting.stream().map(HostId::value).collect(Collectors.joining(", "));
      throw Refusal.malformed(Fault.at("/host", "is missing: several hosts wait: " + names));
    }
    return waiting.getFirst();
  }

  private static void refuseIf(boolean wrong, String why) {
    if (wrong) {
      throw Refusal.conflict(why);
    }
  }
}
