package dev.uplift.store.barrier;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.barrier.BarrierHostState;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.store.Cursor;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.StoreClock;
import dev.uplift.store.StoredText;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;

/// The table `barrier_host`. A host goes from `pending` to `halted` or `missing`, and from `halted` to `resumed`; never
/// back.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class BarrierHostRepository implements GenericRepository<BarrierHostRow, String> {
  private static final String KEY = " WHERE tenant = :tenant AND barrier = :barrier AND host = :host";

  private final StoreClock clock;

  protected BarrierHostRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// By name.
  ///
  /// @param state the word of one; empty: in any
  public Page<BarrierHostRow> list(BarrierId id, String state, PageRequest page) {
    String after = Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse("");
    return Cursor.toPage(
        listAfter(id.tenant(), id.name(), state, after, page.limit() + 1),
        page,
        row -> Cursor.encode(row.host().value()));
  }

  /// All of a barrier that are in this state, by name.
  public List<BarrierHostRow> listInState(BarrierId id, BarrierHostState state) {
    return listInState(id.tenant(), id.name(), EnumCodec.encode(state));
  }

  /// All of a barrier, by name.
  @Query("SELECT * FROM barrier_host WHERE tenant = :tenant AND barrier = :barrier ORDER BY tenant, barrier, host")
  public abstract List<BarrierHostRow> listAll(String tenant, String barrier);

  public void recordHalted(BarrierId id, HostId host) {
    setState(id.tenant(), id.name(), host.value(), "pending", "halted", "", clock.now());
  }

  /// Records that a host has not halted.
  ///
  /// @param why for people
  public void recordMissing(BarrierId id, HostId host, String why) {
    setState(id.tenant(), id.name(), host.value(), "pending", "missing", StoredText.sanitize(why), clock.now());
  }

  /// Records that a host has resumed.
  ///
  /// @param detail if it has resumed otherwise than it was told to
  public void recordResumed(BarrierId id, HostId host, String detail) {
    setState(id.tenant(), id.name(), host.value(), "halted", "resumed", StoredText.sanitize(detail), clock.now());
  }

  /// Has the next `halt` be another command.
  ///
  /// @param why the one before did not count; may be empty
  public void nextHalt(BarrierId id, HostId host, String why) {
    raiseHaltGeneration(id.tenant(), id.name(), host.value(), StoredText.sanitize(why));
  }

  /// Has the next `resume` be another command.
  ///
  /// @param why the one before did not count; may be empty
  public void nextResume(BarrierId id, HostId host, String why) {
    raiseResumeGeneration(id.tenant(), id.name(), host.value(), StoredText.sanitize(why));
  }

  /// Returns the pending hosts that have answered their newest `halt`.
  @Query(
      """
      SELECT b.host, c.outcome FROM barrier_host b
      JOIN command c ON c.tenant = b.tenant AND c.upgrade = :owner AND c.host = b.host AND c.step = 'halt'
        AND c.generation = b.halt_generation
      WHERE b.tenant = :tenant AND b.barrier = :barrier AND b.state = 'pending' AND c.outcome IS NOT NULL\
      """)
  public abstract List<AnsweredHost> listHaltAnswers(String tenant, String barrier, String owner);

  /// Returns the halted hosts that have answered their newest `resume`.
  @Query(
      """
      SELECT b.host, c.outcome FROM barrier_host b
      JOIN command c ON c.tenant = b.tenant AND c.upgrade = :owner AND c.host = b.host AND c.step = 'resume'
        AND c.generation = b.resume_generation
      WHERE b.tenant = :tenant AND b.barrier = :barrier AND b.state = 'halted' AND c.outcome IS NOT NULL\
      """)
  public abstract List<AnsweredHost> listResumeAnswers(String tenant, String barrier, String owner);

  @Query(
      """
      INSERT INTO barrier_host (tenant, barrier, host, device, state, since)
      VALUES (:tenant, :barrier, :host, :device, 'pending', :now)\
      """)
  abstract int insert(String tenant, String barrier, HostId host, String device, Instant now);

  @Query("SELECT COUNT(*) FROM barrier_host WHERE tenant = :tenant AND barrier = :barrier AND state = :state")
  abstract int countInState(String tenant, String barrier, String state);

  @Query(
      """
      SELECT * FROM barrier_host WHERE tenant = :tenant AND barrier = :barrier AND state = :state
      ORDER BY tenant, barrier, state, host\
      """)
  abstract List<BarrierHostRow> listInState(String tenant, String barrier, String state);

  @Query(
      """
      SELECT * FROM barrier_host WHERE tenant = :tenant AND barrier = :barrier AND host > :after
        AND (:state = '' OR state = :state)
      ORDER BY tenant, barrier, host LIMIT :limit\
      """)
  abstract List<BarrierHostRow> listAfter(String tenant, String barrier, String state, String after, int limit);

  @Query("UPDATE barrier_host SET state = :next, detail = :detail, since = :now" + KEY + " AND state = :state")
  abstract int setState(
      String tenant, String barrier, String host, String state, String next, String detail, Instant now);

  @Query("UPDATE barrier_host SET halt_generation = halt_generation + 1, detail = :detail" + KEY)
  abstract int raiseHaltGeneration(String tenant, String barrier, String host, String detail);

  @Query("UPDATE barrier_host SET resume_generation = resume_generation + 1, detail = :detail" + KEY)
  abstract int raiseResumeGeneration(String tenant, String barrier, String host, String detail);
}
