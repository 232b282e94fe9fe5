package dev.uplift.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.DeviceFacts.PinFacts;
import dev.uplift.fleet.UpgradeCheck.Declined;
import dev.uplift.fleet.UpgradeCheck.NoAction;
import dev.uplift.fleet.UpgradeCheck.Proceed;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Every case is an upgrade to 1.5.0, whose sequence is 150 and whose kind is `rauc`.
final class UpgradeCheckTest {
  private static final RequestedUpgrade AUTOMATIC = new RequestedUpgrade(new Release("os", "1.5.0"), false, false);
  private static final RequestedUpgrade BY_PERSON = new RequestedUpgrade(new Release("os", "1.5.0"), true, false);
  private static final RequestedUpgrade DOWNGRADE = new RequestedUpgrade(new Release("os", "1.5.0"), false, true);

  private static final RequestedUpgrade OVERRIDING =
      new RequestedUpgrade(new Release("os", "1.5.0"), true, false, true);

  private static final PinFacts VERSION_1_4 = new PinFacts(Optional.of("1.4.0"), "pinned", true);
  private static final PinFacts VERSION_1_5 = new PinFacts(Optional.of("1.5.0"), "pinned", true);
  private static final PinFacts HOLD = new PinFacts(Optional.empty(), "held", true);
  private static final PinFacts OWNER = new PinFacts(Optional.empty(), "held by its owner", false);
  private static final PinFacts OWNER_LETS = new PinFacts(Optional.empty(), "held by its owner", true);

  private static final DeviceFacts.HostFacts OLD = host("1.4.0", 140);
  private static final DeviceFacts.HostFacts NEW = host("1.5.0", 150);
  private static final DeviceFacts.HostFacts NEWER = host("1.6.0", 160);
  private static final DeviceFacts.HostFacts OFFERED = offered(NEW, OfferedUpdates.State.NEW);
  private static final DeviceFacts.HostFacts TAKEN = offered(NEW, OfferedUpdates.State.TAKEN);
  private static final DeviceFacts.HostFacts FAILED = offered(NEW, OfferedUpdates.State.FAILED);
  private static final DeviceFacts.HostFacts ON_TRIAL =
      new DeviceFacts.HostFacts(new HostId("h"), "1.5.0", true, Optional.of(150L), Optional.empty());
  private static final DeviceFacts.HostFacts NEVER_REPORTED =
      new DeviceFacts.HostFacts(new HostId("h"), "unknown", false, Optional.empty(), Optional.empty());
  private static final DeviceFacts.HostFacts UNKNOWN_RELEASE =
      new DeviceFacts.HostFacts(new HostId("h"), "9-custom", false, Optional.empty(), Optional.empty());

  static final List<Case> CASES =
      List.of(
          proceeds("older", AUTOMATIC, found(OLD)),
          proceeds("one of two is older", AUTOMATIC, found(NEW, OLD)),
          proceeds("new, but still on trial", AUTOMATIC, found(ON_TRIAL)),
          proceeds("it never reported its version", AUTOMATIC, found(NEVER_REPORTED)),
          proceeds("it runs no release of ours", AUTOMATIC, found(UNKNOWN_RELEASE)),
          noAction("new", AUTOMATIC, found(NEW)),
          noAction("all are new", AUTOMATIC, found(NEW, NEW)),
          noAction("new and held", AUTOMATIC, held(NEW)),
          noAction("new and failed before", AUTOMATIC, failedBefore(NEW)),
          declined("two machines", "duplicate-host", BY_PERSON, found(OLD, OLD.asDuplicate("two"))),
          noAction("two machines that run it already", AUTOMATIC, found(NEW.asDuplicate("two"))),
          declined("held", "held", BY_PERSON, held(OLD)),
          declined("the tenant is stopped", "stopped", OVERRIDING, stopped(OLD)),
          noAction("new, in a stopped tenant", AUTOMATIC, stopped(NEW)),
          declined("pinned to another version", "pinned", BY_PERSON, pinned(OLD, VERSION_1_4)),
          proceeds("pinned to this version", AUTOMATIC, pinned(OLD, VERSION_1_5)),
          declined("the package is held", "pinned", AUTOMATIC, pinned(OLD, HOLD)),
          noAction("new and pinned to another version", AUTOMATIC, pinned(NEW, VERSION_1_4)),
          proceeds("a person overrides the pin", OVERRIDING, pinned(OLD, VERSION_1_4)),
          declined("nor does the owner of a host allow it", "pinned", OVERRIDING, pinned(OLD, VERSION_1_4, OWNER)),
          declined("the owner allows it, and no operator", "pinned", BY_PERSON, pinned(OLD, OWNER_LETS, HOLD)),
          proceeds("a person overrides the owner", OVERRIDING, pinned(OLD, OWNER_LETS)),
          declined("failed before", "failed-before", AUTOMATIC, failedBefore(OLD)),
          proceeds("a person tries again", BY_PERSON, failedBefore(OLD)),
          proceeds("new, and its repositories offer updates", AUTOMATIC, found(OFFERED)),
          proceeds("new, and those of one of two offer updates", AUTOMATIC, found(NEW, OFFERED)),
          noAction("the last upgrade has left what is offered", AUTOMATIC, found(TAKEN)),
          proceeds("it has, and a person tries again", BY_PERSON, found(TAKEN)),
          noAction("a person, and nothing is offered", BY_PERSON, found(NEW)),
          declined("what is offered failed before", "failed-before", AUTOMATIC, failedBefore(FAILED)),
          proceeds("it did, and a person tries again", BY_PERSON, failedBefore(FAILED)),
          proceeds("something else is offered since it failed", AUTOMATIC, failedBefore(OFFERED)),
          declined("updates are offered to a held device", "held", AUTOMATIC, held(OFFERED)),
          declined("and to a pinned one", "pinned", AUTOMATIC, pinned(OFFERED, HOLD)),
          proceeds("and to one that is pinned to what it runs", AUTOMATIC, pinned(OFFERED, VERSION_1_5)),
          declined("one of two is newer", "downgrade", BY_PERSON, found(OLD, NEWER)),
          proceeds("newer, and a downgrade is allowed", DOWNGRADE, found(NEWER)),
          declined("another driver", "no-driver", DOWNGRADE, found(with(OLD, Set.of("apt")))),
          declined("another protocol", "no-driver", AUTOMATIC, found(with(OLD, Set.of()))),
          proceeds("the right driver", AUTOMATIC, found(with(OLD, Set.of("apt", "rauc")))),
          declined("too old", "wrong-version", AUTOMATIC, over("1.4.9", OLD)),
          proceeds("just right", AUTOMATIC, over("1.4.0", OLD)),
          proceeds("the other one runs it already", AUTOMATIC, over("1.4.0", OLD, NEW)),
          proceeds("the host will decide", AUTOMATIC, over("1.4.0", NEVER_REPORTED)));

  @ParameterizedTest
  @FieldSource("CASES")
  void isDecidedBeforeAnyCommand(Case one) {
    String decision =
        switch (UpgradeCheck.of(one.wish, one.found)) {
          case Proceed() -> "proceeds";
          case NoAction() -> "no action";
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

  private static Case proceeds(String what, RequestedUpgrade requestedUpgrade, DeviceFacts facts) {
    return new Case(what, "proceeds", requestedUpgrade, facts);
  }

  private static Case noAction(String what, RequestedUpgrade requestedUpgrade, DeviceFacts facts) {
    return new Case(what, "no action", requestedUpgrade, facts);
  }

  private static Case declined(String what, String code, RequestedUpgrade requestedUpgrade, DeviceFacts facts) {
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

  private static DeviceFacts stopped(DeviceFacts.HostFacts hostFacts) {
    return new DeviceFacts(
        List.of(hostFacts),
        "rauc",
        150,
        Set.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.of("acme was stopped by ann"),
        List.of());
  }

  private static DeviceFacts pinned(DeviceFacts.HostFacts hostFacts, PinFacts... pins) {
    return new DeviceFacts(
        List.of(hostFacts), "rauc", 150, Set.of(), Optional.empty(), Optional.empty(), Optional.empty(), List.of(pins));
  }

  private static DeviceFacts failedBefore(DeviceFacts.HostFacts hostFacts) {
    return findings(Set.of(), Optional.empty(), Optional.of("rolled-back"), hostFacts);
  }

  private static DeviceFacts findings(
      Set<String> over, Optional<String> held, Optional<String> failed, DeviceFacts.HostFacts... hosts) {
    return new DeviceFacts(List.of(hosts), "rauc", 150, over, held, failed);
  }

  private static DeviceFacts.HostFacts host(String version, long sequence) {
    return new DeviceFacts.HostFacts(new HostId("h"), version, false, Optional.of(sequence), Optional.empty());
  }

  private static DeviceFacts.HostFacts offered(DeviceFacts.HostFacts hostFacts, OfferedUpdates.State state) {
    return hostFacts.withOffer(Optional.of(new OfferedUpdates(3, 1, Instant.EPOCH, state)));
  }

  private static DeviceFacts.HostFacts with(DeviceFacts.HostFacts hostFacts, Set<String> kinds) {
    return new DeviceFacts.HostFacts(
        hostFacts.host(), hostFacts.version(), hostFacts.onTrial(), hostFacts.sequence(), Optional.of(kinds));
  }
}
