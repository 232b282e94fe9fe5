package dev.uplift.services.policy;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.policy.Policy;
import dev.uplift.fleet.policy.PolicyDeviceStatus;
import dev.uplift.fleet.policy.PolicyPrecedence;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.services.rollout.DeviceSnapshot;
import dev.uplift.services.selection.CompiledSelection;
import dev.uplift.services.selection.Selection;
import dev.uplift.store.policy.PolicyRow;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The policies for a package that apply to a device: which one decides, and where the device is with each.
@Singleton
public final class PoliciesOfDevice {
  private final PolicyRepositories tables;
  private final PolicyEvaluator evaluator;

  public PoliciesOfDevice(PolicyRepositories tables, PolicyEvaluator evaluator) {
    this.tables = tables;
    this.evaluator = evaluator;
  }

  /// A policy that applies to a device.
  ///
  /// @param decides whether it is the one that counts
  /// @param version that it brings; empty if there is no such release
  /// @param status where the device is with it, of a disabled one as if it were enabled; empty without a release
  /// @param missing why there is no release, for people
  public record Applicable(
      PolicyRow policy,
      boolean decides,
      Optional<String> version,
      Optional<PolicyDeviceStatus> status,
      Optional<String> missing) {
    /// Returns whether it asks for what hosts are offered.
    public boolean isOffered() {
      return PolicyJson.read(policy.spec()).target() instanceof PolicyTarget.Offered;
    }

    private boolean isWithoutRelease() {
      return status.isEmpty();
    }

    private Applicable deciding() {
      return new Applicable(policy, true, version, status, missing);
    }
  }

  /// Returns them, the one that decides first, disabled ones last. A fallback that gives way to another policy does not
  /// apply.
  public List<Applicable> find(DeviceId device, String packageName) {
    List<PolicyRow> rows = tables.policies().findOfPackage(device.tenant(), packageName);
    if (rows.isEmpty()) {
      return List.of();
    }
    List<Applicable> found = applying(device, rows).stream().flatMap(row -> evaluate(row, device).stream()).toList();
    return withDecider(found).stream()
        .sorted(
            Comparator.comparing(Applicable::decides)
                .thenComparing(one -> one.policy().enabled())
                .reversed()
                .thenComparing(one -> one.policy().name()))
        .toList();
  }

  /// Returns the packages of the enabled ones that apply to the device.
  public Set<String> findPackages(DeviceId device) {
    List<PolicyRow> rows = tables.policies().findEnabledOfTenant(device.tenant());
    return rows.isEmpty()
        ? Set.of()
        : applying(device, rows).stream().map(PolicyRow::packageName).collect(Collectors.toSet());
  }

  private List<PolicyRow> applying(DeviceId device, List<PolicyRow> rows) {
    return DeviceSnapshot.load(tables.rollouts().common(), device.tenant(), List.of(device.name())).stream()
        .flatMap(snapshot -> rows.stream().filter(row -> applies(row, snapshot)))
        .toList();
  }

  private static boolean applies(PolicyRow row, DeviceSnapshot device) {
    return Selection.compile(PolicyJson.read(row.spec()).selection())
            instanceof CompiledSelection.Valid(Selection which)
        && which.matches(device.selectable());
  }

  private Optional<Applicable> evaluate(PolicyRow row, DeviceId device) {
    List<PolicyDeviceStatus> statuses = new ArrayList<>();
    PolicyEvaluation evaluation = evaluator.evaluate(row, List.of(device.name()), statuses::add);
    Optional<PolicyDeviceStatus> status = statuses.stream().findFirst();
    return Optional.of(
            new Applicable(
                row,
                row.enabled() && status.filter(PolicyDeviceStatus::decides).isPresent(),
                evaluation.release().map(release -> release.version()),
                status,
                evaluation.missing()))
        .filter(one -> status.isPresent() || evaluation.missing().isPresent());
  }

  /// A policy decides although its release is missing: the others say so, if there are others.
  private static List<Applicable> withDecider(List<Applicable> found) {
    if (found.stream().anyMatch(Applicable::decides)) {
      return found;
    }
    Optional<Policy> decider =
        PolicyPrecedence.decide(
            found.stream()
                .filter(one -> one.policy().enabled() && one.isWithoutRelease())
                .map(one -> policy(one.policy()))
                .toList(),
            Optional.empty());
    return found.stream()
        .map(one -> decider.filter(policy -> policy.id().equals(one.policy().id())).isPresent() ? one.deciding() : one)
        .toList();
  }

  private static Policy policy(PolicyRow row) {
    return new Policy(
        row.id(), PolicyJson.read(row.spec()).fallback(), row.priority(), row.enabledAt().orElse(Instant.EPOCH));
  }
}
