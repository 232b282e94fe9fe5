package dev.uplift.api.osupgrade;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.policy.PolicyRepeat;
import dev.uplift.fleet.policy.PolicyStart;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.fleet.policy.UnknownVersion;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.policy.PolicyJson;
import dev.uplift.services.policy.PolicySpec;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.policy.NewPolicy;
import dev.uplift.store.policy.PolicyRepository;
import dev.uplift.store.policy.PolicyRow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What of the policy `os-upgrade` is the OS upgrade of a tenant: its package, its windows, and that it is enabled. All
/// else stays as it is, or is as in [#create] where there is no policy yet.
final class OsUpgradeConfig {
  static final String NAME = "os-upgrade";

  /// Where releases are moved that are to be brought, unless the policy says otherwise.
  private static final String CHANNEL = "stable";

  private OsUpgradeConfig() {}

  static PolicyId id(String tenant) {
    return new PolicyId(tenant, NAME);
  }

  static PolicyRow find(PolicyRepository policies, String tenant) {
    return policies.find(id(tenant)).orElseThrow(() -> notFound(tenant));
  }

  static ProblemException notFound(String tenant) {
    return ProblemException.notFound("there is no OS upgrade in " + tenant);
  }

  static List<Window> windows(PolicyRow row) {
    return PolicyJson.read(row.spec()).rollout().plan().windows();
  }

  /// Returns the policy with this package and these windows.
  static NewPolicy apply(String tenant, Optional<PolicyRow> before, String packageName, List<Window> windows) {
    PolicySpec spec = before.map(row -> PolicyJson.read(row.spec())).orElseGet(OsUpgradeConfig::create);
    RolloutSpec rollout = spec.rollout();
    boolean isSamePackage = before.filter(row -> row.packageName().equals(packageName)).isPresent();
    PolicySpec changed =
        new PolicySpec(
            spec.target(),
            isSamePackage ? spec.selection() : "'%s' in versions".formatted(packageName),
            isSamePackage ? spec.everything() : true,
            spec.fallback(),
            spec.start(),
            spec.repeat(),
            spec.unknownVersion(),
            rollout.withPlan(rollout.plan().withWindows(windows)));
    return new NewPolicy(
        id(tenant),
        before.map(PolicyRow::title).orElse("OS upgrade"),
        before.map(PolicyRow::description).orElse(""),
        packageName,
        before.map(PolicyRow::priority).orElse(0),
        PolicyJson.write(changed));
  }

  /// The newest release of the channel, on all hosts that report the package, also where their version was never
  /// published: an operating system was there before. Nothing is rolled back, because a worker cannot.
  private static PolicySpec create() {
    return new PolicySpec(
        new PolicyTarget.Channel(CHANNEL),
        "true",
        true,
        false,
        PolicyStart.NOW,
        new PolicyRepeat.Always(),
        UnknownVersion.UPGRADE,
        new RolloutSpec(
            "", RolloutPlan.defaults(new Release("none", "0"), "true"), RollbackScope.NONE, Duration.ZERO, false));
  }
}
