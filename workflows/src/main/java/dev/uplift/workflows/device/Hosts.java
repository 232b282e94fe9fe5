package dev.uplift.workflows.device;

import static dev.uplift.fleet.Step.AWAIT_HEARTBEAT;
import static dev.uplift.fleet.Step.AWAIT_STANDBY;
import static dev.uplift.fleet.Step.PREPARE;
import static dev.uplift.fleet.Step.STOP;
import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.Findings;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import dev.uplift.workflows.device.Answer.Done;
import dev.uplift.workflows.device.Answer.HandoverRequired;
import dev.uplift.workflows.device.Answer.RebootRequired;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How far each host got and what it was found to be, as its answers say.
final class Hosts {
  private static final HostState UNHEARD = new HostState(HostState.UNKNOWN, "", "", false);

  private static final class Known {
    Progress progress = Progress.UNTOUCHED;
    HostState newest = UNHEARD;
    Optional<String> versionBefore = Optional.empty();
    String bootBefore = "";
    Optional<String> makesWay = Optional.empty();
    boolean isBetweenAgents;
    boolean skipped;
    @Nullable Reason reason;
  }

  private final Map<HostId, Known> known = new LinkedHashMap<>();

  Hosts(List<HostId> hosts) {
    hosts.forEach(host -> known.put(host, new Known()));
  }

  void learn(Findings found) {
    for (Findings.Host host : found.hosts()) {
      of(host.host()).newest = new HostState(host.version(), "", "", host.onTrial());
    }
  }

  void learn(Revert done) {
    done.versions()
        .forEach((host, version) -> {
          if (known.containsKey(host)) {
            of(host).versionBefore = Optional.of(version);
          }
        });
  }

  void learn(Order order, Answer answer) {
    Known host = of(order.host());
    if (answer instanceof Done(HostState now)) {
      if (order.step() != AWAIT_STANDBY) {
        // Who stands by does not run yet.
        host.newest = now;
      }
      if (order.step() == STOP || order.step() == AWAIT_HEARTBEAT) {
        host.isBetweenAgents = false;
      }
      if (order.step() == PREPARE) {
        host.versionBefore = Optional.of(now.version());
      }
    } else if (answer instanceof RebootRequired(String bootId)) {
      host.bootBefore = bootId;
    } else if (answer instanceof HandoverRequired(String instance)) {
      host.makesWay = Optional.of(instance);
      host.isBetweenAgents = true;
    }
  }

  void forget(HostId host) {
    of(host).newest = UNHEARD;
  }

  /// A reboot or a handover that was asked for on the way forward is none on the way back.
  void turnBack(HostId host) {
    of(host).bootBefore = "";
    of(host).makesWay = Optional.empty();
  }

  void reached(HostId host, Progress progress) {
    of(host).progress = progress;
  }

  void skip(HostId host, Reason why) {
    of(host).skipped = true;
    note(host, why);
  }

  /// What is noted first about a host stays.
  void note(HostId host, Reason reason) {
    if (of(host).reason == null) {
      of(host).reason = reason;
    }
  }

  Progress progress(HostId host) {
    return of(host).progress;
  }

  boolean isAnyTouched() {
    return known.values().stream().anyMatch(host -> host.progress != Progress.UNTOUCHED);
  }

  boolean isUntouched(HostId host) {
    return of(host).progress == Progress.UNTOUCHED;
  }

  /// Whether there is something to be taken back; a skipped host stays as it is.
  boolean isTouched(HostId host) {
    return !isUntouched(host) && !isSkipped(host);
  }

  /// Whether the release lies on the host and there is nothing else to be taken back.
  boolean isPreparedOnly(HostId host) {
    return isUntouched(host) && !isSkipped(host) && of(host).versionBefore.isPresent();
  }

  /// Whether something that it said, or did not say, stopped it.
  boolean hasFailed(HostId host) {
    return of(host).reason != null;
  }

  boolean isSkipped(HostId host) {
    return of(host).skipped;
  }

  boolean isOnTrial(HostId host) {
    return of(host).newest.onTrial();
  }

  String boot(HostId host) {
    return of(host).newest.bootId();
  }

  /// The boot in which the host asked for another; empty if it never did.
  String bootBefore(HostId host) {
    return of(host).bootBefore;
  }

  /// The agent that has said that another one is to take over; empty if none has.
  Optional<String> makesWay(HostId host) {
    return of(host).makesWay;
  }

  /// Whether one agent of it has been told that another one follows, and still works.
  boolean isBetweenAgents(HostId host) {
    return of(host).isBetweenAgents;
  }

  String versionBefore(HostId host) {
    return of(host).versionBefore.orElse(HostState.UNKNOWN);
  }

  Map<HostId, String> versions() {
    Map<HostId, String> versions = new LinkedHashMap<>();
    known.forEach((host, is) -> versions.put(host, is.newest.version()));
    return versions;
  }

  List<Progress> progress() {
    return known.values().stream().map(host -> host.progress).toList();
  }

  List<HostReport> report() {
    return known.entrySet().stream().map(host -> report(host.getKey(), host.getValue())).toList();
  }

  private static HostReport report(HostId host, Known known) {
    return new HostReport(
        host,
        known.progress,
        known.newest.version(),
        known.skipped,
        Optional.ofNullable(known.reason),
        known.versionBefore);
  }

  private Known of(HostId host) {
    return requireNonNull(known.get(host), () -> host + " is not in this upgrade");
  }
}
