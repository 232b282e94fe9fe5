package dev.uplift.store.pin;

import dev.uplift.fleet.HostId;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The table `host_hold`: what the owners of hosts hold there, as the hosts last reported. [PinRepository] reads it as
/// pins of their devices.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class HostHoldRepository implements GenericRepository<HostHold, String> {
  /// Records what the owner of a host holds there, in place of what was recorded. Writes nothing if it is so already.
  /// The host has to be recorded.
  ///
  /// @param holds at most one per package
  /// @return whether anything has changed
  public boolean record(String tenant, HostId host, List<HostHold> holds) {
    List<HostHold> wanted = holds.stream().map(HostHold::asStored).toList();
    if (Set.copyOf(list(tenant, host.value())).equals(Set.copyOf(wanted))) {
      return false;
    }
    deleteAll(tenant, host.value());
    for (HostHold hold : wanted) {
      insert(tenant, host.value(), hold.packageName(), hold.reason(), hold.heldBy(), hold.since(), hold.until());
    }
    return true;
  }

  /// Returns what the owner of a host holds there.
  public List<HostHold> find(String tenant, HostId host) {
    return list(tenant, host.value());
  }

  @Query("SELECT * FROM host_hold WHERE tenant = :tenant AND host = :host ORDER BY tenant, host, package")
  abstract List<HostHold> list(String tenant, String host);

  @Query("DELETE FROM host_hold WHERE tenant = :tenant AND host = :host")
  abstract int deleteAll(String tenant, String host);

  @Query(
      """
      INSERT INTO host_hold (tenant, host, package, reason, held_by, since, until)
      VALUES (:tenant, :host, :packageName, :reason, :heldBy, :since, :until)\
      """)
  abstract int insert(
      String tenant,
      String host,
      String packageName,
      String reason,
      String heldBy,
      Instant since,
      Optional<Instant> until);
}
