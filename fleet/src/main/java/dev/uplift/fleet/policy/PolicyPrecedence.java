package dev.uplift.fleet.policy;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Decides which of the policies that apply to a device decides about a package.
///
/// Policies for other packages never compete. A fallback gives way to any other policy. Then the higher priority
/// decides, then the one that was enabled last, then the name, so that there is always one, and the same on every
/// server. An upgrade that has begun is never overtaken: as long as it runs, the policy that began it decides.
public final class PolicyPrecedence {
  private static final Comparator<Policy> FIRST_DECIDES =
      Comparator.comparing(Policy::fallback)
          .thenComparing(Comparator.comparingInt(Policy::priority).reversed())
          .thenComparing(Comparator.comparing(Policy::enabledAt).reversed())
          .thenComparing(policy -> policy.id().name());

  private PolicyPrecedence() {}

  /// Decides among the policies that apply to one device.
  ///
  /// @param applying enabled, for the same package, each with the device in its selection
  /// @param begun name of the policy whose upgrade of the device is in progress; empty if none is
  /// @return the policy that decides; empty if none applies
  public static Optional<Policy> decide(Collection<Policy> applying, Optional<String> begun) {
    return applying.stream()
        .filter(policy -> begun.equals(Optional.of(policy.id().name())))
        .findFirst()
        .or(() -> applying.stream().min(FIRST_DECIDES));
  }

  /// Returns all of them, the one that decides first.
  public static List<Policy> inOrder(Collection<Policy> applying, Optional<String> begun) {
    Optional<Policy> first = decide(applying, begun);
    return applying.stream()
        .sorted(
            Comparator.<Policy, Boolean>comparing(policy -> !first.equals(Optional.of(policy)))
                .thenComparing(FIRST_DECIDES))
        .toList();
  }
}
