package dev.uplift.fleet;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What is known of a device and a release before anything is sent.
///
/// @param hosts one for each host of the upgrade
/// @param kind of the release
/// @param sequence of the release; a greater one of the same package is newer
/// @param installsOver the versions that it may be installed over; empty means any
/// @param held why nothing is to be done to the device, in words, if somebody holds it
/// @param failedBefore how the release failed on this device the last time it was tried, in words
public record DeviceFacts(
    List<HostFacts> hosts,
    String kind,
    long sequence,
    Set<String> installsOver,
    Optional<String> held,
    Optional<String> failedBefore) {

  /// The same, after the hosts have said themselves what they run.
  public DeviceFacts withVersions(Map<HostId, String> versions) {
    return new DeviceFacts(
        hosts.stream()
            .map(hostFacts -> hostFacts.withVersion(versions.getOrDefault(hostFacts.host(), hostFacts.version())))
            .toList(),
        kind,
        sequence,
        installsOver,
        held,
        failedBefore);
  }

  boolean canInstallOver(HostFacts hostFacts) {
    return installsOver.isEmpty()
        || installsOver.contains(hostFacts.version())
        || hostFacts.version().equals(HostState.UNKNOWN);
  }

  /// What a host last said of itself.
  ///
  /// @param version of the package; `unknown` where it never said
  /// @param onTrial whether it goes back by itself unless somebody commits
  /// @param sequence of the release that it runs; empty where we have no such release
  /// @param kinds of releases that its agent can carry out, none if it does not speak our protocol;
  ///   empty where it never said
  /// @param duplicate why it is taken for two machines, in words; empty where it is one
  public record HostFacts(
      HostId host,
      String version,
      boolean onTrial,
      Optional<Long> sequence,
      Optional<Set<String>> kinds,
      Optional<String> duplicate) {
    /// Of a host that is one.
    public HostFacts(
        HostId host,
        String version,
        boolean onTrial,
        Optional<Long> sequence,
        Optional<Set<String>> kinds) {
      this(host, version, onTrial, sequence, kinds, Optional.empty());
    }

    /// Two machines work as this host at once.
    ///
    /// @param why in words
    public HostFacts asDuplicate(String why) {
      return new HostFacts(host, version, onTrial, sequence, kinds, Optional.of(why));
    }

    private HostFacts withVersion(String now) {
      return new HostFacts(host, now, onTrial, sequence, kinds, duplicate);
    }

    boolean runsCommitted(Release release) {
      return version.equals(release.version()) && !onTrial;
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
