package dev.uplift.store.device;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.OfferedUpdates;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.Transacted;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The table `host_offer`: what the repositories of hosts offer, and which upgrade has tried to install it.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class HostOfferRepository implements GenericRepository<HostOffer, String> {
  /// An upgrade without a row has ended long ago, and is in the archive. One that ended with no error of its own, or
  /// whose failure was cleared, has tried nothing.
  private static final String SELECT =
      """
      SELECT offer.host, offer.updates, offer.security, offer.since,
        CASE
          WHEN offer.tried_digest <> offer.digest THEN 'new'
          WHEN tried.id IS NULL OR tried.outcome IN ('upgraded', 'no-action') THEN 'taken'
          WHEN tried.failure_cleared_at IS NULL AND tried.reason_kind = 'error'
            AND tried.outcome IN ('prepare-failed', 'rolled-back', 'partial', 'stranded') THEN 'failed'
          ELSE 'new' END AS state
      FROM host_offer offer
      LEFT JOIN upgrade tried ON tried.tenant = offer.tenant AND tried.id = offer.upgrade\
      """;

  /// The updates offered to a host.
  ///
  /// @param state word of [OfferedUpdates.State]
  @Introspected
  record OfferRow(String host, int updates, int security, Instant since, String state) {
    private OfferedUpdates toOfferedUpdates() {
      return new OfferedUpdates(updates, security, since, EnumCodec.decode(OfferedUpdates.State.class, state));
    }
  }

  /// Records what a host says, in place of what was recorded. Writes nothing if it is so already. The host has to be
  /// recorded.
  ///
  /// @param told at most one per package
  /// @param unmeasured packages of which the host knows nothing now: what was recorded of them stays
  /// @param at when it said so
  /// @return whether something else is offered than before
  boolean record(String tenant, String host, List<HostOffer> told, Set<String> unmeasured, Instant at) {
    Map<String, HostOffer> before = new HashMap<>();
    list(tenant, host).forEach(offer -> before.put(offer.packageName(), offer));
    boolean isChanged = false;
    for (HostOffer offer : told) {
      HostOffer known = before.remove(offer.packageName());
      if (!offer.equals(known)) {
        isChanged = true;
        put(tenant, host, offer, at);
      }
    }
    for (String gone : before.keySet()) {
      isChanged |= !unmeasured.contains(gone) && delete(tenant, host, gone) > 0;
    }
    return isChanged;
  }

  private void put(String tenant, String host, HostOffer offer, Instant at) {
    if (update(tenant, host, offer.packageName(), offer.digest(), offer.updates(), offer.security(), at) == 0) {
      insert(tenant, host, offer.packageName(), offer.digest(), offer.updates(), offer.security(), at);
    }
  }

  /// Returns what is offered for a package to the hosts of the devices whose names are from `first` to `last`. One
  /// statement.
  public Map<HostId, OfferedUpdates> findByDeviceRange(String tenant, String packageName, String first, String last) {
    return byHost(listOfDevices(tenant, packageName, first, last));
  }

  /// Returns what is offered for a package in a tenant, of the hosts for which something is.
  public Map<HostId, OfferedUpdates> findOfPackage(String tenant, String packageName) {
    return byHost(listOfPackage(tenant, packageName));
  }

  private static Map<HostId, OfferedUpdates> byHost(List<OfferRow> rows) {
    return rows.stream().collect(Collectors.toMap(row -> new HostId(row.host()), OfferRow::toOfferedUpdates));
  }

  /// Records that an upgrade of the package begins on these hosts, with what is offered to them now. Safe to repeat.
  public void recordUpgrade(String tenant, Collection<HostId> hosts, String packageName, String upgrade) {
    // Each by its key: for a list H2 would read all hosts of the tenant.
    hosts.forEach(host -> updateTried(tenant, host.value(), packageName, upgrade));
  }

  /// Forgets what a host has said.
  void clear(String tenant, String host) {
    deleteAll(tenant, host);
  }

  @Query("SELECT * FROM host_offer WHERE tenant = :tenant AND host = :host ORDER BY tenant, host, package")
  abstract List<HostOffer> list(String tenant, String host);

  @Query(
      """
      UPDATE host_offer SET since = CASE WHEN digest = :digest THEN since ELSE :at END, digest = :digest,
        updates = :updates, security = :security
      WHERE tenant = :tenant AND host = :host AND package = :packageName\
      """)
  abstract int update(
      String tenant, String host, String packageName, String digest, int updates, int security, Instant at);

  @Query(
      """
      INSERT INTO host_offer (tenant, host, package, digest, updates, security, since)
      VALUES (:tenant, :host, :packageName, :digest, :updates, :security, :at)\
      """)
  abstract int insert(
      String tenant, String host, String packageName, String digest, int updates, int security, Instant at);

  @Query("DELETE FROM host_offer WHERE tenant = :tenant AND host = :host AND package = :packageName")
  abstract int delete(String tenant, String host, String packageName);

  @Query("DELETE FROM host_offer WHERE tenant = :tenant AND host = :host")
  abstract int deleteAll(String tenant, String host);

  @Query(
      """
      UPDATE host_offer SET tried_digest = digest, upgrade = :upgrade
      WHERE tenant = :tenant AND host = :host AND package = :packageName\
      """)
  abstract int updateTried(String tenant, String host, String packageName, String upgrade);

  @Query(
      SELECT
          + """
           JOIN host ON host.tenant = offer.tenant AND host.name = offer.host
          WHERE offer.tenant = :tenant AND offer.package = :packageName
            AND host.device >= :first AND host.device <= :last\
          """)
  abstract List<OfferRow> listOfDevices(String tenant, String packageName, String first, String last);

  @Query(SELECT + " WHERE offer.tenant = :tenant AND offer.package = :packageName AND offer.updates > 0")
  abstract List<OfferRow> listOfPackage(String tenant, String packageName);
}
