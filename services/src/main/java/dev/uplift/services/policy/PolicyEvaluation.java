package dev.uplift.services.policy;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.policy.PolicyDeviceState;
import dev.uplift.fleet.policy.PolicyDeviceStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/// The result of looking at devices for a policy.
///
/// @param release that the policy brings; empty if there is none, for the reason in `missing`
/// @param missing why there is no such release, for people
/// @param counts how many devices are in each state
/// @param due names of the devices that the policy has to begin with now
/// @param withdrawn names of the devices that wait in a rollout of the policy although it does not decide for them any
///   more
/// @param overruledBy names of the policies that decide for a device of this policy, otherwise than it
/// @param overrules names of the policies that ask for something else on a device for which this one decides
/// @param nextChange when the next device is due by itself
public record PolicyEvaluation(
    Optional<Release> release,
    Optional<String> missing,
    Map<PolicyDeviceState, Integer> counts,
    List<String> due,
    List<String> withdrawn,
    Set<String> overruledBy,
    Set<String> overrules,
    Optional<Instant> nextChange) {

  /// Returns how many devices the policy applies to.
  public int devices() {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  public int count(PolicyDeviceState state) {
    return counts.getOrDefault(state, 0);
  }

  /// Returns whether every device that it applies to runs what it asks for. Of none, not.
  public boolean isComplete() {
    return missing.isEmpty() && devices() > 0 && count(PolicyDeviceState.SATISFIED) == devices();
  }

  /// Collects the devices one after another.
  static final class Collector {
    private final Map<PolicyDeviceState, Integer> counts = new EnumMap<>(PolicyDeviceState.class);
    private final List<String> due = new ArrayList<>();
    private final List<String> withdrawn = new ArrayList<>();
    private final Set<String> overruledBy = new TreeSet<>();
    private final Set<String> overrules = new TreeSet<>();
    private Optional<Instant> nextChange = Optional.empty();
    private final Consumer<PolicyDeviceStatus> receiver;

    Collector(Consumer<PolicyDeviceStatus> receiver) {
      this.receiver = receiver;
    }

    void add(PolicyDeviceStatus status) {
      counts.merge(status.state(), 1, Integer::sum);
      if (status.isDue()) {
        due.add(status.device());
      }
      status
          .until()
          .filter(until -> nextChange.filter(next -> !until.isBefore(next)).isEmpty())
          .ifPresent(until -> nextChange = Optional.of(until));
      receiver.accept(status);
    }

    void addWithdrawn(String device) {
      withdrawn.add(device);
    }

    void addOverruledBy(String policy) {
      overruledBy.add(policy);
    }

    boolean isOverruled(String policy) {
      return overrules.contains(policy);
    }

    void addOverruled(String policy) {
      overrules.add(policy);
    }

    PolicyEvaluation result(Optional<Release> release, Optional<String> missing) {
      return new PolicyEvaluation(release, missing, counts, due, withdrawn, overruledBy, overrules, nextChange);
    }
  }
}
