package dev.uplift.store.device;

import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The table `label_window`: maintenance windows of all devices with a value of a label. Those of a device itself are
/// in its row.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class LabelWindowRepository implements GenericRepository<LabelWindowRow, String> {
  private static final String KEY = " WHERE tenant = :tenant AND label = :label AND label_value = :value";

  private final StoreClock clock;

  protected LabelWindowRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Gives devices with this value of the label these windows. Writes nothing if they have them already. To rely on
  /// what was there, [#find] it in the same transaction: until that ends no other transaction changes it.
  ///
  /// @throws NoSuchTenant if the tenant does not exist
  public LabelWindowRow put(String tenant, String label, String value, String windows, String by) {
    Optional<LabelWindowRow> found = find(tenant, label, value);
    if (found.filter(row -> row.windows().equals(windows)).isPresent()) {
      return found.get();
    }
    int written =
        found.isPresent()
            ? update(tenant, label, value, windows, by, clock.now())
            : insertIfAbsent(tenant, label, value, windows, by, clock.now());
    if (written == 0) {
      throw new ConcurrentModification("windows of " + label + " = " + value);
    }
    return find(tenant, label, value).orElseThrow();
  }

  @Query(
      """
      UPDATE label_window SET windows = :windows, version = version + 1, changed_by = :by,
        changed_at = :now\
      """
          + KEY)
  abstract int update(String tenant, String label, String value, String windows, String by, Instant now);

  @Query(
      """
      INSERT INTO label_window (tenant, label, label_value, windows, version, changed_by, changed_at)
      VALUES (:tenant, :label, :value, :windows, 1, :by, :now)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(String tenant, String label, String value, String windows, String by, Instant now);

  /// Removes the windows of devices with this value of the label. Returns whether there were any.
  public boolean remove(String tenant, String label, String value) {
    return deleteRow(tenant, label, value) > 0;
  }

  @Query("DELETE FROM label_window" + KEY)
  abstract int deleteRow(String tenant, String label, String value);

  /// Locks the row until the end of the transaction.
  @Query("SELECT * FROM label_window" + KEY + " FOR UPDATE")
  public abstract Optional<LabelWindowRow> find(String tenant, String label, String value);

  /// All of a tenant, by label and value. Few, however many devices there are.
  @Query("SELECT * FROM label_window WHERE tenant = :tenant ORDER BY tenant, label, label_value")
  public abstract List<LabelWindowRow> list(String tenant);
}
