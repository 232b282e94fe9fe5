package dev.uplift.store.release;

import dev.uplift.fleet.Release;
import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The table `release_channel`: named pointers at releases, several per package.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class ReleaseChannelRepository implements GenericRepository<ReleaseChannelRow, String> {
  private static final String KEY = " WHERE tenant = :tenant AND package = :packageName AND channel = :channel";

  private final StoreClock clock;

  protected ReleaseChannelRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Points a channel at a release, which has to be published; creates the channel if it is new. Changes nothing if it
  /// points there already. To rely on where it pointed, [#lock] it in the same transaction.
  public ReleaseChannelRow move(String tenant, String channel, Release release, String by) {
    String packageName = release.packageName();
    Optional<ReleaseChannelRow> found = lock(tenant, packageName, channel);
    if (found.filter(row -> row.release().equals(release)).isPresent()) {
      return found.get();
    }
    int written =
        found.isPresent()
            ? update(tenant, packageName, channel, release.version(), by, clock.now())
            : insertIfAbsent(tenant, packageName, channel, release.version(), by, clock.now());
    if (written == 0) {
      throw new ConcurrentModification("channel " + channel + " of " + packageName);
    }
    return find(tenant, packageName, channel).orElseThrow();
  }

  /// Removes a channel; the release stays. Returns whether there was one.
  public boolean remove(String tenant, String packageName, String channel) {
    return deleteRow(tenant, packageName, channel) > 0;
  }

  @Query("SELECT * FROM release_channel" + KEY)
  public abstract Optional<ReleaseChannelRow> find(String tenant, String packageName, String channel);

  /// Returns the channel, locked until the end of the transaction.
  @Query("SELECT * FROM release_channel" + KEY + " FOR UPDATE")
  public abstract Optional<ReleaseChannelRow> lock(String tenant, String packageName, String channel);

  /// Returns all channels of a package, by name. Few.
  @Query(
      """
      SELECT * FROM release_channel WHERE tenant = :tenant AND package = :packageName
      ORDER BY tenant, package, channel\
      """)
  public abstract List<ReleaseChannelRow> list(String tenant, String packageName);

  @Query(
      "UPDATE release_channel SET version = :version, moved_by = :by, moved_at = :now, revision = revision + 1" + KEY)
  abstract int update(String tenant, String packageName, String channel, String version, String by, Instant now);

  @Query(
      """
      INSERT INTO release_channel (tenant, package, channel, version, moved_by, moved_at, revision)
      VALUES (:tenant, :packageName, :channel, :version, :by, :now, 1)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(
      String tenant, String packageName, String channel, String version, String by, Instant now);

  @Query("DELETE FROM release_channel" + KEY)
  abstract int deleteRow(String tenant, String packageName, String channel);
}
