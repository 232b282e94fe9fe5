package dev.uplift.services.policy;

import dev.uplift.fleet.policy.PolicyDeviceStatus;
import dev.uplift.services.Repositories;
import dev.uplift.services.policy.TargetResolver.Resolution;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.rollout.DeviceSnapshot;
import dev.uplift.services.selection.CompiledSelection;
import dev.uplift.services.selection.Selection;
import dev.uplift.services.trust.TrustRoots;
import dev.uplift.services.upgrade.FleetUpgradeChecker;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.policy.PolicyRow;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Looks at the devices of a policy: where each is, and with which the policy has to begin now. Changes nothing.
///
/// All devices are read page by page, with their failures, pins and places in rollouts, so that memory grows with the
/// fleet by the names of the devices to act on alone; a device that changed is read alone.
@Singleton
public final class PolicyEvaluator {
  private static final PageRequest PAGE = PageRequest.first(PageRequest.MAX_LIMIT);

  /// How many devices an expression is true of.
  ///
  /// @param selected so many
  /// @param all of so many
  public record SelectedCount(int selected, int all) {}

  private final PolicyRepositories tables;
  private final HostPresence presence;
  private final TargetResolver resolver;

  public PolicyEvaluator(PolicyRepositories tables, HostPresence presence) {
    this.tables = tables;
    this.presence = presence;
    Repositories common = tables.rollouts().common();
    this.resolver = new TargetResolver(common.releases(), tables.channels(), new TrustRoots(common.trustRoots()));
  }

  /// Looks at all devices.
  ///
  /// @param policy as it is, or as it would be if it were enabled
  /// @param receiver of each device that it applies to, by name
  /// @param afterPage called after each page of devices; an exception that it throws ends the evaluation
  public PolicyEvaluation evaluate(PolicyRow policy, Consumer<PolicyDeviceStatus> receiver, Runnable afterPage) {
    return evaluate(policy, false, receiver, afterPage);
  }

  /// As [#evaluate], in a run of a policy that begins in runs. Devices that are not heard are due too: they would wait
  /// for the next run otherwise, and their rollout waits for them.
  public PolicyEvaluation evaluateRun(PolicyRow policy, Consumer<PolicyDeviceStatus> receiver, Runnable afterPage) {
    return evaluate(policy, PolicyJson.read(policy.spec()).cron().isPresent(), receiver, afterPage);
  }

  private PolicyEvaluation evaluate(
      PolicyRow policy, boolean run, Consumer<PolicyDeviceStatus> receiver, Runnable afterPage) {
    Instant now = Instant.now();
    Resolution resolution = resolution(policy);
    var collector = new PolicyEvaluation.Collector(receiver);
    if (resolution instanceof Resolution.Found found) {
      forEachPage(policy.tenant(), deviceEvaluator(policy, found, collector, run, now)::addAll, afterPage);
    }
    return result(resolution, collector);
  }

  /// Looks at these devices alone, in a number of statements that depends on nothing else.
  public PolicyEvaluation evaluate(PolicyRow policy, Collection<String> names, Consumer<PolicyDeviceStatus> receiver) {
    Instant now = Instant.now();
    Resolution resolution = resolution(policy);
    var collector = new PolicyEvaluation.Collector(receiver);
    if (resolution instanceof Resolution.Found found) {
      DeviceEvaluator devices = deviceEvaluator(policy, found, collector, false, now);
      DeviceSnapshot.load(tables.rollouts().common(), policy.tenant(), names)
          .forEach(device -> devices.addAll(List.of(device)));
    }
    return result(resolution, collector);
  }

  /// Looks at a page of devices, in a number of statements that does not depend on how many there are.
  ///
  /// @param page devices that follow each other by name
  public PolicyEvaluation evaluatePage(PolicyRow policy, List<DeviceRow> page, Consumer<PolicyDeviceStatus> receiver) {
    Instant now = Instant.now();
    Resolution resolution = resolution(policy);
    var collector = new PolicyEvaluation.Collector(receiver);
    if (resolution instanceof Resolution.Found found) {
      deviceEvaluator(policy, found, collector, false, now)
          .addAll(DeviceSnapshot.of(tables.rollouts().common().hosts(), page));
    }
    return result(resolution, collector);
  }

  /// Counts the devices of a tenant for which an expression is true. An invalid one selects none.
  public SelectedCount countSelected(String tenant, String expression) {
    if (!(Selection.compile(expression) instanceof CompiledSelection.Valid(Selection selection))) {
      return new SelectedCount(0, 0);
    }
    int[] counts = {0, 0};
    forEachPage(
        tenant,
        devices ->
            devices.forEach(device -> {
              counts[0] += selection.matches(device.selectable()) ? 1 : 0;
              counts[1]++;
            }),
        () -> {});
    return new SelectedCount(counts[0], counts[1]);
  }

  private DeviceEvaluator deviceEvaluator(
      PolicyRow policy, Resolution.Found found, PolicyEvaluation.Collector collector, boolean run, Instant now) {
    return new DeviceEvaluator(
        tables,
        presence,
        EvaluatedPolicy.of(policy, found, competitors(policy, now), run, now),
        FleetUpgradeChecker.ofRanges(tables.rollouts().common(), presence, found.release()),
        collector);
  }

  private Resolution resolution(PolicyRow policy) {
    return resolver.resolve(policy.tenant(), policy.packageName(), PolicyJson.read(policy.spec()).target());
  }

  private static PolicyEvaluation result(Resolution resolution, PolicyEvaluation.Collector collector) {
    return switch (resolution) {
      case Resolution.Found(_, var release) -> collector.result(Optional.of(release.release()), Optional.empty());
      case Resolution.NoRelease(String reason) -> collector.result(Optional.empty(), Optional.of(reason));
    };
  }

  /// The enabled ones for the package, with this one in place of what is stored of it.
  private CompetingPolicies competitors(PolicyRow policy, Instant now) {
    List<PolicyRow> rows = new ArrayList<>(tables.policies().findEnabled(policy.tenant(), policy.packageName()));
    rows.removeIf(row -> row.name().equals(policy.name()));
    rows.add(policy);
    return new CompetingPolicies(rows, resolver, now);
  }

  private void forEachPage(String tenant, Consumer<List<DeviceSnapshot>> receiver, Runnable afterPage) {
    Optional<PageRequest> next = Optional.of(PAGE);
    while (next.isPresent()) {
      Page<DeviceRow> page = tables.rollouts().common().devices().list(tenant, Map.of(), next.get());
      receiver.accept(DeviceSnapshot.of(tables.rollouts().common().hosts(), page.rows()));
      afterPage.run();
      next = PAGE.next(page);
    }
  }
}
