package dev.uplift.fleet;

import dev.uplift.fleet.DeviceFacts.HostFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Decides whether an upgrade or a revert may begin, before anything is sent.
public sealed interface UpgradeCheck {
  /// The code for duplicated hosts: both machines, or either, would execute a command.
  String DUPLICATE_HOST = "duplicate-host";

  /// The code for a tenant in which nothing begins.
  String STOPPED = "stopped";

  /// The code for a package that stays at another version.
  String PINNED = "pinned";

  record Proceed() implements UpgradeCheck {}

  /// Every host runs the release, none of them on trial, and its repositories offer nothing that an upgrade would
  /// install; for a revert, every host runs its previous version.
  record NoAction() implements UpgradeCheck {}

  record Declined(Reason reason) implements UpgradeCheck {}

  /// Decides about an upgrade. Facts that a host never reported decline nothing: it can still decline.
  static UpgradeCheck of(RequestedUpgrade requestedUpgrade, DeviceFacts facts) {
    if (facts.hosts().stream()
        .allMatch(hostFacts ->
            hostFacts.runsCommitted(requestedUpgrade.release())
                && !hostFacts.isOfferedUpdates(requestedUpgrade.byPerson()))) {
      return new NoAction();
    }
    return refusal(requestedUpgrade, facts).<UpgradeCheck>map(Declined::new).orElseGet(Proceed::new);
  }

  private static Optional<Reason> refusal(RequestedUpgrade requestedUpgrade, DeviceFacts facts) {
    if (facts.stopped().isPresent()) {
      return decline(STOPPED, facts.stopped().get());
    }
    if (facts.held().isPresent()) {
      return decline("held", facts.held().get());
    }
    Optional<Reason> pinned = pinRefusal(requestedUpgrade, facts.pins());
    if (pinned.isPresent()) {
      return pinned;
    }
    // Updates offered since then are other content under the same version.
    boolean isNews = facts.hosts().stream().anyMatch(HostFacts::isOfferedNews);
    if (facts.failedBefore().isPresent() && !requestedUpgrade.byPerson() && !isNews) {
      return decline("failed-before", requestedUpgrade.release() + ": " + facts.failedBefore().get());
    }
    return facts.hosts().stream()
        .flatMap(hostFacts -> refusal(requestedUpgrade, facts, hostFacts).stream())
        .findFirst();
  }

  /// Returns the pin that is against an upgrade, if one is. Pins alone are looked for again after the upgrade has
  /// waited: a hold and a stop let end what has begun.
  static Optional<Reason> pinRefusal(RequestedUpgrade requestedUpgrade, List<DeviceFacts.PinFacts> pins) {
    return pinRefusal(pins, requestedUpgrade.release().version(), requestedUpgrade.overridesPins());
  }

  private static Optional<Reason> pinRefusal(List<DeviceFacts.PinFacts> pins, String version, boolean overridesPins) {
    return pins.stream()
        .filter(pin -> pin.forbids(version, overridesPins))
        .findFirst()
        .flatMap(
            pin -> decline(PINNED, pin.canBeOverridden() ? pin.text() + "; a person may override it" : pin.text()));
  }

  private static Optional<Reason> refusal(RequestedUpgrade requestedUpgrade, DeviceFacts facts, HostFacts hostFacts) {
    if (hostFacts.duplicate().isPresent()) {
      return decline(DUPLICATE_HOST, hostFacts.duplicate().get());
    }
    if (!hostFacts.canHaveDriverFor(facts.kind())) {
      return decline("no-driver", "%s has no driver for %s".formatted(hostFacts.host(), facts.kind()));
    }
    if (hostFacts.isNewerThan(facts.sequence()) && !requestedUpgrade.allowDowngrade()) {
      return decline("downgrade", "%s is newer than %s".formatted(hostFacts, requestedUpgrade.release()));
    }
    if (!facts.canInstallOver(hostFacts) && !hostFacts.runsCommitted(requestedUpgrade.release())) {
      return decline(
          "wrong-version",
          "%s must not lie over %s, only over %s"
              .formatted(
                  requestedUpgrade.release(), hostFacts, String.join(", ", new TreeSet<>(facts.installsOver()))));
    }
    return Optional.empty();
  }

  /// Decides about a revert: only if the hosts still run what the upgrade installed. Facts that a host never reported
  /// decline nothing; it reports itself whether it still has the previous version. That the tenant is stopped declines
  /// no revert: it may be the way out of what the stop is for.
  ///
  /// @param brought the release that the upgrade installed
  /// @param before the previous version of each host
  /// @param overridesPins as [RequestedUpgrade#overridesPins]
  static UpgradeCheck ofRevert(Release brought, Map<HostId, String> before, boolean overridesPins, DeviceFacts facts) {
    if (facts.hosts().stream().allMatch(hostFacts -> hostFacts.version().equals(before.get(hostFacts.host())))) {
      return new NoAction();
    }
    return facts
        .held()
        .flatMap(why -> decline("held", why))
        .or(() ->
            before.values().stream()
                .flatMap(version -> pinRefusal(facts.pins(), version, overridesPins).stream())
                .findFirst())
        .or(() ->
            facts.hosts().stream()
                .flatMap(hostFacts -> revertRefusal(brought, before, facts, hostFacts).stream())
                .findFirst())
        .<UpgradeCheck>map(Declined::new)
        .orElseGet(Proceed::new);
  }

  private static Optional<Reason> revertRefusal(
      Release brought, Map<HostId, String> before, DeviceFacts facts, HostFacts hostFacts) {
    if (hostFacts.duplicate().isPresent()) {
      return decline(DUPLICATE_HOST, hostFacts.duplicate().get());
    }
    String back = before.getOrDefault(hostFacts.host(), HostState.UNKNOWN);
    if (back.equals(HostState.UNKNOWN)) {
      return decline("before-unknown", "what %s ran before %s is not recorded".formatted(hostFacts.host(), brought));
    }
    if (!hostFacts.canHaveDriverFor(facts.kind())) {
      return decline("no-driver", "%s has no driver for %s".formatted(hostFacts.host(), facts.kind()));
    }
    boolean isWhereItWas = hostFacts.version().equals(brought.version()) || hostFacts.version().equals(back);
    return isWhereItWas || hostFacts.version().equals(HostState.UNKNOWN)
        ? Optional.empty()
        : decline(
            "moved-on",
            "%s runs %s now, not %s, which is to be reverted"
                .formatted(hostFacts.host(), hostFacts.version(), brought.version()));
  }

  private static Optional<Reason> decline(String code, String text) {
    return Optional.of(Reason.error(ErrorClass.DECLINED, code, text));
  }
}
