package dev.uplift.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.UpgradeCheck.Declined;
import dev.uplift.fleet.UpgradeCheck.NoAction;
import dev.uplift.fleet.UpgradeCheck.Proceed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Every case reverts 1.5.0, of kind `rauc`, on two hosts that ran 1.4.0 before.
final class RevertCheckTest {
  private static final Release BROUGHT = new Release("os", "1.5.0");
  private static final Map<HostId, String> BEFORE = Map.of(new HostId("left"), "1.4.0", new HostId("right"), "1.4.0");

  static final List<Case> CASES =
      List.of(
          new Case("both run it", found("1.5.0", "1.5.0"), "proceeds"),
          new Case("one runs the old version already", found("1.5.0", "1.4.0"), "proceeds"),
          new Case("both run the old version already", found("1.4.0", "1.4.0"), "no action"),
          new Case("one has not reported its version", found("1.5.0", "unknown"), "proceeds"),
          new Case("one runs something newer by now", found("1.5.0", "1.6.0"), "moved-on"),
          new Case("one runs an unknown version", found("9-custom", "1.5.0"), "moved-on"),
          new Case("the device is on hold", held(), "held"),
          new Case("the tenant is stopped", stopped(), "proceeds"),
          new Case("it is pinned to the old version", pinned("1.4.0"), "proceeds"),
          new Case("it is pinned to the new version", pinned("1.5.0"), "pinned"),
          new Case("it has lost its driver", kinds(Set.of("apt")), "no-driver"),
          new Case("it has the driver", kinds(Set.of("apt", "rauc")), "proceeds"));

  @ParameterizedTest
  @FieldSource("CASES")
  void isDecidedBeforeAnyCommand(Case one) {
    assertThat(decision(BEFORE, one.found)).isEqualTo(one.decision);
  }

  static final List<Map<HostId, String>> INCOMPLETE =
      List.of(Map.of(new HostId("left"), "1.4.0"), Map.of(new HostId("left"), "1.4.0", new HostId("right"), "unknown"));

  @ParameterizedTest
  @FieldSource("INCOMPLETE")
  void isDeclinedIfAPreviousVersionIsUnknown(Map<HostId, String> before) {
    assertThat(decision(before, found("1.5.0", "1.5.0"))).isEqualTo("before-unknown");
  }

  private static String decision(Map<HostId, String> before, DeviceFacts facts) {
    return switch (UpgradeCheck.ofRevert(BROUGHT, before, false, facts)) {
      case Proceed() -> "proceeds";
      case NoAction() -> "no action";
      case Declined(Reason why) -> why.code();
    };
  }

  record Case(String what, DeviceFacts found, String decision) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static DeviceFacts found(String left, String right) {
    return findings(Optional.empty(), Optional.empty(), left, right);
  }

  private static DeviceFacts held() {
    return findings(Optional.of("by ann: stocktaking"), Optional.empty(), "1.5.0", "1.5.0");
  }

  private static DeviceFacts stopped() {
    return with(Optional.of("stopped by ann"), List.of());
  }

  private static DeviceFacts pinned(String version) {
    return with(Optional.empty(), List.of(new DeviceFacts.PinFacts(Optional.of(version), "pinned", true)));
  }

  private static DeviceFacts with(Optional<String> stopped, List<DeviceFacts.PinFacts> pins) {
    DeviceFacts facts = found("1.5.0", "1.5.0");
    return new DeviceFacts(
        facts.hosts(),
        facts.kind(),
        facts.sequence(),
        facts.installsOver(),
        facts.held(),
        facts.failedBefore(),
        stopped,
        pins);
  }

  private static DeviceFacts kinds(Set<String> kinds) {
    return findings(Optional.empty(), Optional.of(kinds), "1.5.0", "1.5.0");
  }

  private static DeviceFacts findings(Optional<String> held, Optional<Set<String>> kinds, String left, String right) {
    return new DeviceFacts(
        List.of(host("left", left, kinds), host("right", right, kinds)),
        "rauc",
        150,
        Set.of("1.4.0"),
        held,
        // An earlier failure does not matter to a revert.
        Optional.of("upgrade u-1 ended as stranded"));
  }

  private static DeviceFacts.HostFacts host(String name, String version, Optional<Set<String>> kinds) {
    return new DeviceFacts.HostFacts(new HostId(name), version, false, Optional.of(150L), kinds);
  }
}
