package dev.uplift.activities.device;

import static java.util.Objects.requireNonNull;

import dev.uplift.activities.temporal.FailedAttempt;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Findings;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.RolloutId;
import dev.uplift.store.DatabaseAway;
import dev.uplift.store.NewUpgrade;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.ReleaseRow;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.store.UpgradeRow;
import dev.uplift.store.Upgrades;
import dev.uplift.workflows.device.Beginning;
import dev.uplift.workflows.device.DeviceRecords;
import dev.uplift.workflows.device.Ending;
import dev.uplift.workflows.device.HostReport;
import dev.uplift.workflows.device.Revert;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.WindowSight;
import io.temporal.activity.Activity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The records of upgrades in tables.
public final class RecordsInTables implements DeviceRecords {
  private static final Findings NOTHING =
      new Findings(List.of(), "", 0, Set.of(), Optional.empty(), Optional.empty());

  private final Upgrades upgrades;
  private final Facts facts;
  private final DeviceWindows windows;
  private final Consumer<RolloutId> ended;
  private final Supplier<String> run;

  /// @param ended is told of a rollout of which an upgrade has ended
  /// @param run that asks, of its workflow in Temporal
  RecordsInTables(
      Upgrades upgrades,
      Facts facts,
      DeviceWindows windows,
      Consumer<RolloutId> ended,
      Supplier<String> run) {
    this.windows = windows;
    this.upgrades = upgrades;
    this.facts = facts;
    this.ended = ended;
    this.run = run;
  }

  @Override
  public Beginning begin(UpgradePlan plan) {
    return attempt(() -> known(plan));
  }

  private Beginning known(UpgradePlan plan) {
    try {
      UpgradeRow row = upgrades.begin(row(plan));
      if (!isThis(row, plan)) {
        return refused(plan, "id-taken", row.inWords());
      }
      if (row.end().isPresent()) {
        return new Beginning(row.end().map(Endings::read), NOTHING);
      }
      Optional<ReleaseRow> release = facts.release(plan);
      return release.isPresent()
          ? new Beginning(Optional.empty(), facts.of(plan, release.get()))
          : ended(plan, "no-release", plan.release() + " is not in the records");
    } catch (NoSuchTenant e) {
      return refused(plan, "no-tenant", String.valueOf(e.getMessage()));
    }
  }

  private static boolean isThis(UpgradeRow row, UpgradePlan plan) {
    return row.device().equals(plan.device())
        && row.release().equals(plan.release())
        && row.revertOf().equals(plan.revert().map(Revert::upgrade));
  }

  private static <T> T attempt(Supplier<T> work) {
    try {
      return work.get();
    } catch (DatabaseAway e) {
      throw FailedAttempt.because(e).build();
    }
  }

  private NewUpgrade row(UpgradePlan plan) {
    return new NewUpgrade(
        plan.upgrade(),
        plan.device(),
        plan.release(),
        plan.startedBy(),
        Texts.write(plan),
        run.get(),
        plan.revert().map(Revert::upgrade));
  }

  static String runOfThisActivity() {
    return requireNonNull(Activity.getExecutionContext().getInfo().getWorkflowRunId());
  }

  private Beginning ended(UpgradePlan plan, String code, String text) {
    return new Beginning(Optional.of(end(plan, declined(plan, code, text))), NOTHING);
  }

  /// Without a row of its own it ends where it began.
  private static Beginning refused(UpgradePlan plan, String code, String text) {
    return new Beginning(Optional.of(declined(plan, code, text)), NOTHING);
  }

  private static Ending declined(UpgradePlan plan, String code, String text) {
    Reason reason = Reason.error(ErrorClass.DECLINED, code, text);
    List<HostReport> hosts =
        plan.hosts().stream()
            .map(host ->
                new HostReport(
                    host, Progress.UNTOUCHED, HostState.UNKNOWN, false, Optional.empty()))
            .toList();
    return new Ending(Outcome.DECLINED, Optional.of(reason), hosts);
  }

  @Override
  public WindowSight window(DeviceId device, String besides, Duration need, Instant before) {
    return attempt(() -> windows.look(device, besides, need, before, Instant.now()));
  }

  @Override
  public Ending end(UpgradePlan plan, Ending ending) {
    return attempt(() -> {
      Ending kept = kept(plan, ending);
      plan.rollout().map(name -> new RolloutId(plan.device().tenant(), name)).ifPresent(ended);
      return kept;
    });
  }

  private Ending kept(UpgradePlan plan, Ending ending) {
    UpgradeEnd row = Endings.row(ending);
    return upgrades
        .end(plan.device().tenant(), plan.upgrade(), row, Optional.of(run.get()))
        .or(() -> {
          // The records were put back to an older copy meanwhile.
          upgrades.begin(row(plan));
          return upgrades.end(plan.device().tenant(), plan.upgrade(), row);
        })
        .flatMap(UpgradeRow::end)
        .map(Endings::read)
        .orElseThrow();
  }
}
