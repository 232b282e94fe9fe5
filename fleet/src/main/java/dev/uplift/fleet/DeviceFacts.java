package dev.uplift.fleet;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The facts about a device and a release before anything is sent.
///
/// @param hosts one entry per host of the upgrade
/// @param kind of the release
/// @param sequence of the release; a greater one of the same package is newer
/// @param installsOver the versions that it may be installed over; empty means any
/// @param held why the device is on hold, for people; empty if it is not
/// @param failedBefore how the last attempt of the release on this device failed, for people
/// @param stopped why nothing begins in the tenant, for people; empty if it is not stopped
/// @param pins of the package that are in force, those of owners first
public record DeviceFacts(
    List<HostFacts> hosts,
    String kind,
    long sequence,
    Set<String> installsOver,
    Optional<String> held,
    Optional<String> failedBefore,
    Optional<String> stopped,
    List<PinFacts> pins) {

  /// Facts of a device without pins, in a tenant that is not stopped.
  public DeviceFacts(
      List<HostFacts> hosts,
      String kind,
      long sequence,
      Set<String> installsOver,
      Optional<String> held,
      Optional<String> failedBefore) {
    this(hosts, kind, sequence, installsOver, held, failedBefore, Optional.empty(), List.of());
  }

  public DeviceFacts {
    // There are histories without them.
    stopped = stopped == null ? Optional.empty() : stopped;
    pins = pins == null ? List.of() : List.copyOf(pins);
  }

  /// Returns these facts with the versions that the hosts have reported themselves.
  public DeviceFacts withVersions(Map<HostId, String> versions) {
    return new DeviceFacts(
        hosts.stream()
            .map(hostFacts -> hostFacts.withVersion(versions.getOrDefault(hostFacts.host(), hostFacts.version())))
            .toList(),
        kind,
        sequence,
        installsOver,
        held,
        failedBefore,
        stopped,
        pins);
  }

  /// A pin of the package on the device.
  ///
  /// @param version the only one that may be installed; empty: none may
  /// @param text for people
  /// @param canBeOverridden whether a person may install another version nevertheless
  public record PinFacts(Optional<String> version, String text, boolean canBeOverridden) {
    boolean forbids(String installed, boolean overridesPins) {
      return version.filter(installed::equals).isEmpty() && !(overridesPins && canBeOverridden);
    }
  }

  boolean canInstallOver(HostFacts hostFacts) {
    return installsOver.isEmpty()
        || installsOver.contains(hostFacts.version())
        || hostFacts.version().equals(HostState.UNKNOWN);
  }

  /// The last report of a host.
  ///
  /// @param version of the package; `unknown` if never reported
  /// @param onTrial whether it rolls back by itself without a commit
  /// @param sequence of the release that it runs; empty if that release is unknown
  /// @param kinds of releases that its agent can install, none if it has another protocol version; empty if never
  ///   reported
  /// @param duplicate why two machines seem to share this identity, for people; empty otherwise
  /// @param offer what has become of the updates that its repositories offer for the package; empty if they offer none,
  ///   or it does not say
  public record HostFacts(
      HostId host,
      String version,
      boolean onTrial,
      Optional<Long> sequence,
      Optional<Set<String>> kinds,
      Optional<String> duplicate,
      Optional<OfferedUpdates.State> offer) {
    public HostFacts {
      // There are histories without it.
      offer = offer == null ? Optional.empty() : offer;
    }

    /// Facts of a host that is not duplicated, and is offered nothing.
    public HostFacts(
        HostId host, String version, boolean onTrial, Optional<Long> sequence, Optional<Set<String>> kinds) {
      this(host, version, onTrial, sequence, kinds, Optional.empty(), Optional.empty());
    }

    /// Returns these facts with what is offered to the host.
    public HostFacts withOffer(Optional<OfferedUpdates> offered) {
      return new HostFacts(
          host,
          version,
          onTrial,
          sequence,
          kinds,
          duplicate,
          offered.filter(it -> it.updates() > 0).map(OfferedUpdates::state));
    }

    /// Returns these facts, marked as two machines that run as this host at once.
    ///
    /// @param why for people
    public HostFacts asDuplicate(String why) {
      return new HostFacts(host, version, onTrial, sequence, kinds, Optional.of(why), offer);
    }

    private HostFacts withVersion(String now) {
      return new HostFacts(host, now, onTrial, sequence, kinds, duplicate, offer);
    }

    boolean runsCommitted(Release release) {
      return version.equals(release.version()) && !onTrial;
    }

    /// Returns whether an upgrade would install what is offered. What an upgrade has left a person may try again.
    boolean isOfferedUpdates(boolean byPerson) {
      return offer.filter(state -> byPerson || state != OfferedUpdates.State.TAKEN).isPresent();
    }

    boolean isOfferedNews() {
      return offer.equals(Optional.of(OfferedUpdates.State.NEW));
    }

    boolean canHaveDriverFor(String kind) {
      return kinds.isEmpty() || kinds.get().contains(kind);
    }

    boolean isNewerThan(long other) {
      return sequence.isPresent() && sequence.get() > other;
    }

    @Override
    public String toString() {
      return version + " on " + host;
    }
  }
}
