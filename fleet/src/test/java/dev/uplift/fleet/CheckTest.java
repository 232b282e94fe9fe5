package dev.uplift.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Check.AlreadyThere;
import dev.uplift.fleet.Check.GoOn;
import dev.uplift.fleet.Check.Refused;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Every case is an upgrade to 1.5.0, whose sequence is 150 and whose kind is `rauc`.
final class CheckTest {
  private static final Wish AUTOMATIC = new Wish(new Release("os", "1.5.0"), false, false);
  private static final Wish BY_PERSON = new Wish(new Release("os", "1.5.0"), true, false);
  private static final Wish DOWNGRADE = new Wish(new Release("os", "1.5.0"), false, true);

  private static final Findings.Host OLD = host("1.4.0", 140);
  private static final Findings.Host NEW = host("1.5.0", 150);
  private static final Findings.Host NEWER = host("1.6.0", 160);
  private static final Findings.Host ON_TRIAL =
      new Findings.Host(new HostId("h"), "1.5.0", true, Optional.of(150L), Optional.empty());
  private static final Findings.Host UNHEARD_OF =
      new Findings.Host(new HostId("h"), "unknown", false, Optional.empty(), Optional.empty());
  private static final Findings.Host UNKNOWN_TO_US =
      new Findings.Host(new HostId("h"), "9-custom", false, Optional.empty(), Optional.empty());

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
          refused("two machines", "duplicate-host", BY_PERSON, found(OLD, OLD.twice("two"))),
          isThere("two machines that are there", AUTOMATIC, found(NEW.twice("two"))),
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
        switch (Check.of(one.wish, one.found)) {
          case GoOn() -> "goes on";
          case AlreadyThere() -> "is there";
          case Refused(Reason why) -> why.code();
        };
    assertThat(decision).isEqualTo(one.decision);
  }

  record Case(String what, String decision, Wish wish, Findings found) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static Case goesOn(String what, Wish wish, Findings found) {
    return new Case(what, "goes on", wish, found);
  }

  private static Case isThere(String what, Wish wish, Findings found) {
    return new Case(what, "is there", wish, found);
  }

  private static Case refused(String what, String code, Wish wish, Findings found) {
    return new Case(what, code, wish, found);
  }

  private static Findings found(Findings.Host... hosts) {
    return findings(Set.of(), Optional.empty(), Optional.empty(), hosts);
  }

  private static Findings over(String version, Findings.Host... hosts) {
    return findings(Set.of(version), Optional.empty(), Optional.empty(), hosts);
  }

  private static Findings held(Findings.Host host) {
    return findings(Set.of(), Optional.of("by ann: stocktaking"), Optional.empty(), host);
  }

  private static Findings failedBefore(Findings.Host host) {
    return findings(Set.of(), Optional.empty(), Optional.of("rolled-back"), host);
  }

  private static Findings findings(
      Set<String> over, Optional<String> held, Optional<String> failed, Findings.Host... hosts) {
    return new Findings(List.of(hosts), "rauc", 150, over, held, failed);
  }

  private static Findings.Host host(String version, long sequence) {
    return new Findings.Host(
        new HostId("h"), version, false, Optional.of(sequence), Optional.empty());
  }

  private static Findings.Host with(Findings.Host host, Set<String> kinds) {
    return new Findings.Host(
        host.host(), host.version(), host.onTrial(), host.sequence(), Optional.of(kinds));
  }
}
