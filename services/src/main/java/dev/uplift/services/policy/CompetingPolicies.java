package dev.uplift.services.policy;

import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.policy.Policy;
import dev.uplift.fleet.policy.PolicyPrecedence;
import dev.uplift.fleet.policy.ResolvedTarget;
import dev.uplift.services.selection.CompiledSelection;
import dev.uplift.services.selection.SelectableDevice;
import dev.uplift.services.selection.Selection;
import dev.uplift.store.policy.PolicyRow;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The policies for one package, read once, to be asked for one device after another. For one thread.
final class CompetingPolicies {
  private record Competitor(Policy policy, Selection selection) {
    boolean selects(SelectableDevice device) {
      return selection.matches(device);
    }

    String name() {
      return policy.id().name();
    }
  }

  /// Where a policy stands for a device.
  ///
  /// @param applies whether the device is in its selection; if it is not, nothing else is said
  /// @param otherDecider the policy that decides; empty: this one does
  /// @param isReplaced whether it is a fallback that gives way to another policy
  record Precedence(boolean applies, Optional<String> otherDecider, boolean isReplaced) {
    private static final Precedence ELSEWHERE = new Precedence(false, Optional.empty(), false);
  }

  private final TargetResolver resolver;

  /// By name, the one that decides first if all apply.
  private final Map<String, Competitor> competitors = new LinkedHashMap<>();

  private final Map<String, PolicyRow> rows = new HashMap<>();

  /// Of those that decide for a device, and were asked for.
  private final Map<String, Optional<ResolvedTarget>> targets = new HashMap<>();

  /// @param rows enabled ones, and one that is to be looked at as if it were enabled
  /// @param now when one that was never enabled would be
  CompetingPolicies(List<PolicyRow> rows, TargetResolver resolver, Instant now) {
    this.resolver = resolver;
    Map<Policy, Competitor> valid = new HashMap<>();
    for (PolicyRow row : rows) {
      PolicySpec spec = PolicyJson.read(row.spec());
      if (Selection.compile(spec.selection()) instanceof CompiledSelection.Valid(Selection selection)) {
        var policy = new Policy(row.id(), spec.fallback(), row.priority(), row.enabledAt().orElse(now));
        valid.put(policy, new Competitor(policy, selection));
        this.rows.put(row.name(), row);
      }
    }
    PolicyPrecedence.inOrder(valid.keySet(), Optional.empty())
        .forEach(policy -> competitors.put(policy.id().name(), requireNonNull(valid.get(policy))));
  }

  /// Looks at no more selections than it takes, those of policies that would decide before it first.
  ///
  /// @param begun name of the policy whose upgrade of the device is in progress
  Precedence precedence(String policy, SelectableDevice device, Optional<String> begun) {
    Optional<Competitor> own = find(policy).filter(one -> one.selects(device));
    if (own.isEmpty()) {
      return Precedence.ELSEWHERE;
    }
    Optional<Competitor> first = firstInOrder(own.get(), device);
    Optional<Competitor> decider = begun.flatMap(this::find).filter(one -> one.selects(device)).or(() -> first);
    return new Precedence(
        true,
        decider.map(Competitor::name).filter(name -> !name.equals(policy)),
        own.get().policy().fallback() && first.filter(one -> !one.policy().fallback()).isPresent());
  }

  private Optional<Competitor> firstInOrder(Competitor own, SelectableDevice device) {
    return competitors.values().stream().filter(one -> one.equals(own) || one.selects(device)).findFirst();
  }

  /// Returns the other policies that are a fallback as this one is, or none as this one.
  List<String> peers(String policy, boolean fallback) {
    return competitors.values().stream()
        .filter(other -> !other.name().equals(policy) && other.policy().fallback() == fallback)
        .map(Competitor::name)
        .toList();
  }

  /// Returns whether the device is in the selection of a policy.
  boolean selects(String policy, SelectableDevice device) {
    return find(policy).filter(one -> one.selects(device)).isPresent();
  }

  private Optional<Competitor> find(String policy) {
    return Optional.ofNullable(competitors.get(policy));
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
