package dev.uplift.fleet.presence;

import java.time.Duration;
import java.time.Instant;

/// When the silence of many hosts is an outage between them and the server, and says nothing about any of them.
///
/// @param minHosts fewer missing hosts are never an outage
/// @param percent an outage is suspected when more than this share of the hosts that were alive is missing, 1 to 100;
///   at 100 never
/// @param limit after this time the hosts that are still missing count as silent, for example because their sites are
///   closed for good
public record OutageRule(int minHosts, int percent, Duration limit) {
  public static final OutageRule DEFAULTS = new OutageRule(5, 20, Duration.ofHours(6));

  public OutageRule {
    if (percent < 1 || percent > 100) {
      throw new IllegalArgumentException("percent: expected 1 to 100, found " + percent);
    }
  }

  /// Returns whether an outage is suspected for a tenant.
  ///
  /// A tenant of few hosts is part of an outage of the whole server if its own hosts are missing, too. Hosts of other
  /// tenants alone never make one for it.
  ///
  /// @param all the hosts of all tenants, this one included
  public boolean isSuspected(HostCounts tenant, HostCounts all) {
    return tenant.isMissingMoreThan(percent)
        && (tenant.missing() >= minHosts || (all.missing() >= minHosts && all.isMissingMoreThan(percent)));
  }

  /// Returns whether it has ended: three of four hosts are heard again, or the limit has passed.
  ///
  /// @param stillMissing hosts of the outage that are missing now
  public boolean isOver(SuspectedOutage outage, int stillMissing, Instant now) {
    return 4L * stillMissing <= outage.missing() || isOverdue(outage, now);
  }

  /// Returns whether it has lasted longer than the limit.
  public boolean isOverdue(SuspectedOutage outage, Instant now) {
    return !now.isBefore(outage.since().plus(limit));
  }
}
