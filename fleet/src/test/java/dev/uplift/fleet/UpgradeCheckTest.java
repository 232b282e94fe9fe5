package dev.uplift.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.UpgradeCheck.Declined;
import dev.uplift.fleet.UpgradeCheck.NoAction;
import dev.uplift.fleet.UpgradeCheck.Proceed;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Every case is an upgrade to 1.5.0, whose sequence is 150 and whose kind is `rauc`.
final class UpgradeCheckTest {
  private static final RequestedUpgrade AUTOMATIC =
      new RequestedUpgrade(new Release("os", "1.5.0"), false, false);
  private static final RequestedUpgrade BY_PERSON =
      new RequestedUpgrade(new Release("os", "1.5.0"), true, false);
  private static final RequestedUpgrade DOWNGRADE =
      new RequestedUpgrade(new Release("os", "1.5.0"), false, true);

  private static final DeviceFacts.HostFacts OLD = host("1.4.0", 140);
  private static final DeviceFacts.HostFacts NEW = host("1.5.0", 150);
  private static final DeviceFacts.HostFacts NEWER = host("1.6.0", 160);
  private static final DeviceFacts.HostFacts ON_TRIAL =
      new DeviceFacts.HostFacts(
          new HostId("h"), "1.5.0", true, Optional.of(150L), Optional.empty());
  private static final DeviceFacts.HostFacts UNHEARD_OF =
      new DeviceFacts.HostFacts(
          new HostId("h"), "unknown", false, Optional.empty(), Optional.empty());
  private static final DeviceFacts.HostFacts UNKNOWN_TO_US =
      new DeviceFacts.HostFacts(
          new HostId("h"), "9-custom", false, Optional.empty(), Optional.empty());

  static final List<Case> CASES =
      List.of(
          goesOn("older", AUTOMATIC, found(OLD)),
          goesOn("one of two is older", AUTOMATIC, found(NEW, OLD)),
          goesOn("new, but it may still go back", AUTOMATIC, found(ON_TRIAL)),
          goesOn("it never said what it runs", AUTOMATIC, found(UNHEARD_OF)),
          goesOn("it runs no release of ours", AUTOMATIC, found(UNKNOWN_TO_US)),
          isThere("new", AUTOMATIC, found(NEW)),
          isThere("all are new", AUTOMATIC, found(NEW, NEW)),
          isThere("new and held", AUTOMATIC, held(NEW)),
          isThere("new and failed before", AUTOMATIC, failedBefore(NEW)),
          refused("two machines", "duplicate-host", BY_PERSON, found(OLD, OLD.asDuplicate("two"))),
          isThere("two machines that are there", AUTOMATIC, found(NEW.asDuplicate("two"))),
          refused("held", "held", BY_PERSON, held(OLD)),
          refused("failed before", "failed-before", AUTOMATIC, failedBefore(OLD)),
          goesOn("a person tries again", BY_PERSON, failedBefore(OLD)),
          refused("one of two is newer", "downgrade", BY_PERSON, found(OLD, NEWER)),
          goesOn("newer, and may go back", DOWNGRADE, found(NEWER)),
          refused("another driver", "no-driver", DOWNGRADE, found(with(OLD, Set.of("apt")))),
          refused("another protocol", "no-driver", AUTOMATIC, found(with(OLD, Set.of()))),
          goesOn("the right driver", AUTOMATIC, found(with(OLD, Set.of("apt", "rauc")))),
          refused("too old", "wrong-version", AUTOMATIC, over("1.4.9", OLD)),
          goesOn("just right", AUTOMATIC, over("1.4.0", OLD)),
          goesOn("the other one is there", AUTOMATIC, over("1.4.0", OLD, NEW)),
          goesOn("the host will tell", AUTOMATIC, over("1.4.0", UNHEARD_OF)));

  @ParameterizedTest
  @FieldSource("CASES")
  void isDecidedBeforeAnythingIsSent(Case one) {
    String decision =
        switch (UpgradeCheck.of(one.wish, one.found)) {
          case Proceed() -> "goes on";
          case NoAction() -> "is there";
          case Declined(Reason why) -> why.code();
        };
    assertThat(decision).isEqualTo(one.decision);
  }

  record Case(String what, String decision, RequestedUpgrade wish, DeviceFacts found) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static Case goesOn(String what, RequestedUpgrade requestedUpgrade, DeviceFacts facts) {
    return new Case(what, "goes on", requestedUpgrade, facts);
  }

  private static Case isThere(String what, RequestedUpgrade requestedUpgrade, DeviceFacts facts) {
    return new Case(what, "is there", requestedUpgrade, facts);
  }

  private static Case refused(
      String what, String code, RequestedUpgrade requestedUpgrade, DeviceFacts facts) {
    return new Case(what, code, requestedUpgrade, facts);
  }

  private static DeviceFacts found(DeviceFacts.HostFacts... hosts) {
    return findings(Set.of(), Optional.empty(), Optional.empty(), hosts);
  }

  private static DeviceFacts over(String version, DeviceFacts.HostFacts... hosts) {
    return findings(Set.of(version), Optional.empty(), Optional.empty(), hosts);
  }

  private static DeviceFacts held(DeviceFacts.HostFacts hostFacts) {
    return findings(Set.of(), Optional.of("by ann: stocktaking"), Optional.empty(), hostFacts);
  }

  private static DeviceFacts failedBefore(DeviceFacts.HostFacts hostFacts) {
    return findings(Set.of(), Optional.empty(), Optional.of("rolled-back"), hostFacts);
  }

  private static DeviceFacts findings(
      Set<String> over,
      Optional<String> held,
      Optional<String> failed,
      DeviceFacts.HostFacts... hosts) {
    return new DeviceFacts(List.of(hosts), "rauc", 150, over, held, failed);
  }

  private static DeviceFacts.HostFacts host(String version, long sequence) {
    return new DeviceFacts.HostFacts(
        new HostId("h"), version, false, Optional.of(sequence), Optional.empty());
  }

  private static DeviceFacts.HostFacts with(DeviceFacts.HostFacts hostFacts, Set<String> kinds) {
    return new DeviceFacts.HostFacts(
        hostFacts.host(),
        hostFacts.version(),
        hostFacts.onTrial(),
        hostFacts.sequence(),
        Optional.of(kinds));
  }
}
