package dev.uplift.services.policy;

import dev.uplift.fleet.policy.Policy;
import dev.uplift.fleet.policy.PolicyPrecedence;
import dev.uplift.fleet.policy.ResolvedTarget;
import dev.uplift.services.rollout.DeviceSnapshot;
import dev.uplift.services.selection.CompiledSelection;
import dev.uplift.services.selection.Selection;
import dev.uplift.store.policy.PolicyRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The policies for one package, read once, to be asked for one device after another. For one thread.
final class CompetingPolicies {
  private record Competitor(Policy policy, Selection selection) {}

  private final TargetResolver resolver;
  private final List<Competitor> competitors = new ArrayList<>();
  private final Map<String, PolicyRow> rows = new HashMap<>();

  /// Of those that decide for a device, and were asked for.
  private final Map<String, Optional<ResolvedTarget>> targets = new HashMap<>();

  /// @param rows enabled ones, and one that is to be looked at as if it were enabled
  /// @param now when one that was never enabled would be
  CompetingPolicies(List<PolicyRow> rows, TargetResolver resolver, Instant now) {
    this.resolver = resolver;
    for (PolicyRow row : rows) {
      PolicySpec spec = PolicyJson.read(row.spec());
      if (Selection.compile(spec.selection()) instanceof CompiledSelection.Valid(Selection selection)) {
        var policy = new Policy(row.id(), spec.fallback(), row.priority(), row.enabledAt().orElse(now));
        competitors.add(new Competitor(policy, selection));
        this.rows.put(row.name(), row);
      }
    }
  }

  /// Returns those that apply to the device, the one that decides first.
  ///
  /// @param begun name of the policy whose upgrade of the device is in progress
  List<Policy> applying(DeviceSnapshot device, Optional<String> begun) {
    var selectable = device.selectable();
    List<Policy> applying =
        competitors.stream()
            .filter(competitor -> competitor.selection().matches(selectable))
            .map(Competitor::policy)
            .toList();
    return applying.size() < 2 ? applying : PolicyPrecedence.inOrder(applying, begun);
  }

  /// What a policy brings; empty if its release is missing.
  Optional<ResolvedTarget> target(String policy) {
    return targets.computeIfAbsent(
        policy,
        name ->
            Optional.ofNullable(rows.get(name))
                .flatMap(row ->
                    resolver
                        .resolve(row.tenant(), row.packageName(), PolicyJson.read(row.spec()).target())
                        .resolved()));
  }
}
