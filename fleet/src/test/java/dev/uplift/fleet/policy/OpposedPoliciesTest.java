package dev.uplift.fleet.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.fleet.policy.PolicyDeviceFacts.Attempt;
import dev.uplift.fleet.policy.PolicyDeviceFacts.RolloutPlace;
import dev.uplift.fleet.policy.PolicyDeviceFacts.RunningVersion;
import dev.uplift.fleet.rollout.TargetState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Two policies that ask for different versions of a device, for a simulated month: both look at it every ten minutes,
/// and an upgrade takes three looks.
final class OpposedPoliciesTest {
  private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");
  private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(10);
  private static final int LOOKS_OF_A_MONTH = 30 * 24 * 6;
  private static final int LOOKS_PER_UPGRADE = 3;

  private final Map<String, Policy> policies = new HashMap<>();
  private final Map<String, Attempt> attempts = new HashMap<>();
  private final List<String> begun = new ArrayList<>();
  private Instant now = START;
  private String version = "1.4.0";
  private Optional<String> upgrading = Optional.empty();
  private int looksLeft;
  private boolean mayDowngrade = true;

  @Test
  void oneOfThemUpgradesTheDeviceOnce() {
    enable("old", 0);
    enable("new", 0);

    runFor(LOOKS_OF_A_MONTH);

    assertThat(begun).containsExactly("new 1.6.0");
    assertThat(version).isEqualTo("1.6.0");
  }

  @Test
  void whatHasBegunEndsBeforeAnotherDecides() {
    enable("old", 0);
    runFor(1);
    enable("new", 10);

    runFor(LOOKS_OF_A_MONTH);

    assertThat(begun).containsExactly("old 1.5.0", "new 1.6.0");
  }

  @Test
  void enablingTheOtherAgainIsOneMoreChange() {
    enable("old", 0);
    enable("new", 0);
    runFor(LOOKS_OF_A_MONTH / 2);
    enable("old", 0);
    runFor(LOOKS_OF_A_MONTH / 2);

    assertThat(begun).containsExactly("new 1.6.0", "old 1.5.0");
  }

  @Test
  void whereNoDowngradeIsAllowedTheDeviceStays() {
    mayDowngrade = false;
    enable("new", 0);
    runFor(LOOKS_OF_A_MONTH / 2);
    enable("old", 10);
    runFor(LOOKS_OF_A_MONTH / 2);

    assertThat(begun).containsExactly("new 1.6.0");
  }

  private void enable(String name, int priority) {
    now = now.plusSeconds(1);
    policies.put(name, new Policy(new PolicyId("acme", name), false, priority, now));
  }

  private void runFor(int looks) {
    for (int i = 0; i < looks; i++) {
      now = now.plus(BETWEEN_LOOKS);
      upgrading.ifPresent(this::goOn);
      // Both look, the one with the later name first.
      policies.keySet().stream().sorted().toList().reversed().forEach(this::look);
    }
  }

  private void goOn(String policy) {
    looksLeft--;
    if (looksLeft == 0) {
      version = target(policy).release().version();
      attempts.put(policy, new Attempt(now, true));
      upgrading = Optional.empty();
    }
  }

  private void look(String name) {
    String decider = PolicyPrecedence.decide(policies.values(), upgrading).orElseThrow().id().name();
    ResolvedTarget target = target(name);
    var facts =
        new PolicyDeviceFacts(
            "north-1",
            Optional.of(decider).filter(other -> !other.equals(name)),
            Optional.of(target(decider)),
            List.of(new RunningVersion("left", version, Optional.of(sequence()))),
            check(target),
            Optional.empty(),
            upgrading.filter(name::equals).map(_ -> new RolloutPlace("r", TargetState.STARTED)),
            START,
            Optional.ofNullable(attempts.get(name)),
            Optional.empty());
    if (new PolicyCheck(target, UnknownVersion.LEAVE, Optional.empty(), now).check(facts).isDue()) {
      begun.add("%s %s".formatted(name, target.release().version()));
      upgrading = Optional.of(name);
      looksLeft = LOOKS_PER_UPGRADE;
    }
  }

  private static ResolvedTarget target(String policy) {
    return policy.equals("old")
        ? new ResolvedTarget(new Release("os", "1.5.0"), 150, false)
        : new ResolvedTarget(new Release("os", "1.6.0"), 160, false);
  }

  private long sequence() {
    return switch (version) {
      case "1.5.0" -> 150;
      case "1.6.0" -> 160;
      default -> 140;
    };
  }

  private UpgradeCheck check(ResolvedTarget target) {
    if (version.equals(target.release().version())) {
      return new UpgradeCheck.NoAction();
    }
    return sequence() > target.sequence() && !mayDowngrade
        ? new UpgradeCheck.Declined(Reason.error(ErrorClass.DECLINED, "downgrade", "a newer version runs"))
        : new UpgradeCheck.Proceed();
  }
}
