package dev.uplift.services.presence;

import dev.uplift.fleet.presence.HostCounts;
import dev.uplift.fleet.presence.OutageRule;
import dev.uplift.fleet.presence.SuspectedOutage;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Suspects an outage between hosts and NATS while many hosts of a tenant are missing at the same time, by the rules of
/// [OutageRule]. It looks for hosts that are missing for half the time after which they count as silent, so an outage
/// is suspected before any of its hosts counts as silent.
final class OutageMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(OutageMonitor.class);

  /// The newest heartbeat of a host.
  record LastHeard(String tenant, Instant at) {}

  /// @param end when it was over; hosts that are still missing then count as silent only later
  private record KnownOutage(SuspectedOutage outage, Optional<Instant> end) {
    boolean isOpen() {
      return end.isEmpty();
    }
  }

  private final OutageRule rule;
  private final Duration silentAfter;
  private final Map<String, KnownOutage> outages = new ConcurrentHashMap<>();

  OutageMonitor(OutageRule rule, Duration silentAfter) {
    this.rule = rule;
    this.silentAfter = silentAfter;
  }

  /// Counts the hosts and begins and ends outages.
  ///
  /// @param listening a period that is too short says nothing about any host
  void check(Collection<LastHeard> hosts, ListeningMonitor.Period listening, Instant now) {
    Instant recent = now.minus(missingAfter());
    if (listening.since().isAfter(recent)) {
      return;
    }
    endAll(hosts, recent, now);
    Instant alive = aliveSince(listening, recent);
    Map<String, HostCounts> counts = count(hosts, alive, recent);
    HostCounts all = counts.values().stream().reduce(HostCounts.NONE, HostCounts::plus);
    counts.forEach((tenant, hostCounts) -> {
      if (!isOpen(tenant) && rule.isSuspected(hostCounts, all)) {
        begin(tenant, new SuspectedOutage(now, alive, hostCounts.missing(), hostCounts.alive()));
      }
    });
  }

  /// A host that was heard after this time was alive before a possible outage. Before a break of our own, hosts were
  /// alive if they were heard shortly before that break.
  private Instant aliveSince(ListeningMonitor.Period listening, Instant recent) {
    Instant alive = recent.minus(silentAfter);
    Instant beforeBreak = listening.before().minus(missingAfter());
    return listening.since().isAfter(alive) && beforeBreak.isBefore(alive) ? beforeBreak : alive;
  }

  private Duration missingAfter() {
    return silentAfter.dividedBy(2);
  }

  private static Map<String, HostCounts> count(Collection<LastHeard> hosts, Instant alive, Instant recent) {
    Map<String, HostCounts> counts = new HashMap<>();
    for (LastHeard host : hosts) {
      if (host.at().isAfter(alive)) {
        HostCounts one = host.at().isAfter(recent) ? new HostCounts(1, 0) : new HostCounts(0, 1);
        counts.merge(host.tenant(), one, HostCounts::plus);
      }
    }
    return counts;
  }

  private void begin(String tenant, SuspectedOutage outage) {
    outages.put(tenant, new KnownOutage(outage, Optional.empty()));
    LOG.warn("hosts of {}: {}; those are unknown rather than silent", tenant, outage.describe());
  }

  private void endAll(Collection<LastHeard> hosts, Instant recent, Instant now) {
    outages.values().removeIf(known -> known.end().filter(end -> end.plus(silentAfter).isBefore(now)).isPresent());
    Map<String, Long> missing =
        outages.isEmpty()
            ? Map.of()
            : hosts.stream()
                .filter(host -> isMissing(host, recent))
                .collect(Collectors.groupingBy(LastHeard::tenant, Collectors.counting()));
    outages.replaceAll((tenant, known) -> known.isOpen() ? update(tenant, known, missing, now) : known);
  }

  private boolean isMissing(LastHeard host, Instant recent) {
    KnownOutage known = outages.get(host.tenant());
    return known != null && known.outage().covers(host.at()) && !host.at().isAfter(recent);
  }

  private KnownOutage update(String tenant, KnownOutage known, Map<String, Long> missing, Instant now) {
    int stillMissing = Math.toIntExact(missing.getOrDefault(tenant, 0L));
    SuspectedOutage outage = known.outage().withMissing(stillMissing);
    if (!rule.isOver(outage, stillMissing, now)) {
      return new KnownOutage(outage, Optional.empty());
    }
    LOG.warn(
        "hosts of {}: the suspected outage {}; {} of its hosts are still missing",
        tenant,
        rule.isOverdue(outage, now) ? "has lasted too long" : "is over",
        stillMissing);
    return new KnownOutage(outage, Optional.of(now));
  }

  private boolean isOpen(String tenant) {
    KnownOutage known = outages.get(tenant);
    return known != null && known.isOpen();
  }

  /// Returns the outage because of which the silence of a host says nothing about it.
  Optional<SuspectedOutage> covering(String tenant, Instant lastHeard) {
    return Optional.ofNullable(outages.get(tenant)).map(KnownOutage::outage).filter(outage -> outage.covers(lastHeard));
  }

  /// Returns the outage that is suspected for a tenant now.
  Optional<SuspectedOutage> open(String tenant) {
    return Optional.ofNullable(outages.get(tenant)).filter(KnownOutage::isOpen).map(KnownOutage::outage);
  }

  /// Returns the outages that are suspected now, of all tenants.
  List<SuspectedOutage> open() {
    return outages.values().stream().filter(KnownOutage::isOpen).map(KnownOutage::outage).toList();
  }
}
