package dev.uplift.store.rollout;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.pin.Pin;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.Transacted;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.pin.PinRepository;
import dev.uplift.store.pin.PinRow;
import dev.uplift.store.rollout.TargetRow.QueuePosition;
import dev.uplift.store.upgrade.UpgradeRow;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The work that there is in a rollout: devices that may be next, that have ended, that were forgotten. What is read
/// under the lock of the rollout, [RolloutRepository#lock], holds until it is released.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class RolloutQueue implements GenericRepository<TargetRow, String> {
  private static final Comparator<TargetRow> BY_QUEUE_POSITION =
      Comparator.<TargetRow>comparingInt(row -> row.queuePosition().wave())
          .thenComparingLong(row -> row.queuePosition().position())
          .thenComparing(TargetRow::device);

  private static final String CANDIDATES =
      """
      SELECT * FROM rollout_target WHERE tenant = :tenant AND rollout = :rollout
        AND wave <= :last AND wave >= :after AND (wave > :after OR position > :afterPosition)\
      """;

  private static final String IN_ORDER = " ORDER BY tenant, rollout, state, wave, position";

  private static final String IN_QUEUE_ORDER = " ORDER BY t.tenant, t.rollout, t.state, t.wave, t.position";

  private static final String BUSY =
      """
      SELECT t.device, 'rollout ' || t.rollout AS text FROM rollout r
      JOIN rollout_target t ON t.tenant = r.tenant AND t.rollout = r.id
      WHERE r.tenant = :tenant AND r.id <> :rollout
        AND r.state NOT IN ('draft', 'ended') AND t.state =\
      """;

  private final RolloutRepository rollouts;
  private final RolloutTargetRepository targets;
  private final DeviceRepository devices;
  private final PinRepository pins;

  protected RolloutQueue(
      RolloutRepository rollouts, RolloutTargetRepository targets, DeviceRepository devices, PinRepository pins) {
    this.rollouts = rollouts;
    this.targets = targets;
    this.devices = devices;
    this.pins = pins;
  }

  /// Devices that may be next, in queue order: pending ones, also while the time between two attempts is not over, and
  /// those that were started ahead. Without those that are offline.
  ///
  /// @param wave of this wave and those before it
  /// @param after the position of the last one of the page before; [QueuePosition#FIRST] for the first page
  public List<TargetRow> candidates(RolloutId id, int wave, QueuePosition after, int limit) {
    return Stream.of(
            listPending(id.tenant(), id.name(), wave, after.wave(), after.position(), limit),
            listPrepared(id.tenant(), id.name(), wave, after.wave(), after.position(), limit))
        .flatMap(Collection::stream)
        .sorted(BY_QUEUE_POSITION)
        .limit(limit)
        .toList();
  }

  /// Pending devices of the waves after `wave` that are not known to be offline, in queue order.
  public List<TargetRow> pendingAfterWave(RolloutId id, int wave, int limit) {
    return listPending(id.tenant(), id.name(), Integer.MAX_VALUE, wave, Long.MAX_VALUE, limit);
  }

  /// Devices that are in `state`, in queue order. Meant for states that few are in at the same time: in
  /// [TargetState#STARTING] and [TargetState#PROCEEDING] at the begin of a pass are those whose start or proceeding is
  /// not known to have succeeded.
  public List<TargetRow> listInState(RolloutId id, TargetState state) {
    return listInState(id.tenant(), id.name(), state);
  }

  /// Devices whose upgrade has ended and that have no result for it yet, in the order of the ends. Under the lock of
  /// the rollout and followed by [RolloutTargetRepository#recordResults] in the same transaction, each is seen exactly
  /// once.
  public List<FinishedTarget> finishedUpgrades(RolloutId id) {
    return finished(id, List.of(TargetState.STARTED, TargetState.PROCEEDING));
  }

  /// Devices whose revert has ended and that are still reverting; as [#finishedUpgrades].
  public List<FinishedTarget> finishedReverts(RolloutId id) {
    return finished(id, List.of(TargetState.REVERTING));
  }

  /// Reads of the upgrades only which of them run, from an index, and the few that have ended.
  private List<FinishedTarget> finished(RolloutId id, List<TargetState> states) {
    Map<String, TargetRow> byUpgrade = new HashMap<>();
    states.forEach(state ->
        listInState(id, state).forEach(row -> row.currentUpgrade().ifPresent(upgrade -> byUpgrade.put(upgrade, row))));
    if (!byUpgrade.isEmpty()) {
      byUpgrade.keySet().removeAll(Set.copyOf(listRunning(id.tenant())));
    }
    if (byUpgrade.isEmpty()) {
      return List.of();
    }
    return listEnded(id.tenant(), byUpgrade.keySet().toArray(String[]::new)).stream()
        .flatMap(ended ->
            Optional.ofNullable(byUpgrade.get(ended.id())).stream().map(target -> FinishedTarget.of(target, ended)))
        .sorted(Comparator.comparing(FinishedTarget::endedAt).thenComparing(ending -> ending.target().device()))
        .toList();
  }

  /// Devices in progress whose upgrade is not in the records, of those that were started before `before`.
  public List<TargetRow> startedWithoutUpgrade(RolloutId id, Instant before) {
    return listStartedWithoutUpgrade(id.tenant(), id.name(), before);
  }

  /// Devices that are reverting and whose revert is not in the records, in queue order.
  public List<TargetRow> revertingWithoutUpgrade(RolloutId id) {
    return listRevertingWithoutUpgrade(id.tenant(), id.name());
  }

  /// Devices of the tenant that something else works on, and what, for people: an open target of another rollout, or an
  /// upgrade that runs and is not of this rollout. Few at any time.
  public Map<String, String> busyElsewhere(RolloutId id) {
    return DeviceText.toMap(
        Stream.concat(
                listBusyInRollouts(id.tenant(), id.name()).stream(),
                listBusyInUpgrades(id.tenant(), id.name()).stream())
            .toList());
  }

  /// Which of these pending devices another running rollout gets first, and which one. That is one that comes before by
  /// its [dev.uplift.fleet.rollout.RolloutPrecedence], and in which the device is due. Two statements, whatever the
  /// number of devices and rollouts.
  ///
  /// @param after the position before the first of them
  /// @param end the position of the last of them
  /// @param limit so many there are at most
  public Map<String, String> outranked(
      RolloutRow mine, QueuePosition after, QueuePosition end, int limit, Instant now) {
    var first = new LinkedHashMap<String, String>();
    List<RolloutRow> rivals =
        rollouts.findOtherRunning(mine.id()).stream()
            .filter(other -> other.rank().comesBefore(mine.rank()))
            .sorted(Comparator.comparing(RolloutRow::rank))
            .toList();
    if (rivals.isEmpty()) {
      return first;
    }
    Map<String, List<DeviceText>> due =
        listDueElsewhere(
                mine.id().tenant(),
                mine.id().name(),
                after.wave(),
                after.position(),
                end.wave(),
                end.position(),
                limit,
                now)
            .stream()
            .collect(groupingBy(DeviceText::text));
    for (RolloutRow rival : rivals) {
      due.getOrDefault(rival.id().name(), List.of())
          .forEach(target -> first.putIfAbsent(target.device(), rival.id().name()));
    }
    return first;
  }

  /// Which of the candidates in a part of the queue have a pin that is against the release, and the pin, for people.
  /// One statement.
  ///
  /// @param after the position before the first of them
  /// @param end the position of the last of them
  /// @param limit so many there are at most
  public Map<String, String> pinsAgainst(
      RolloutId id, Release release, QueuePosition after, QueuePosition end, int limit, Instant now) {
    Map<String, List<Pin>> ofDevice =
        pins
            .listOfCandidates(
                id.tenant(),
                id.name(),
                release.packageName(),
                after.wave(),
                after.position(),
                end.wave(),
                end.position(),
                limit)
            .stream()
            .collect(groupingBy(PinRow::device, mapping(PinRow::pin, toList())));
    Map<String, String> against = new HashMap<>();
    ofDevice.forEach((device, all) ->
        Pin.findBlocking(all, release.packageName(), release.version(), now)
            .ifPresent(pin -> against.put(device, pin.describe())));
    return against;
  }

  /// The devices of the candidates in a part of the queue, by name; without those that are gone.
  ///
  /// @param after the position before the first of them
  /// @param end the position of the last of them
  /// @param limit so many there are at most
  public Map<String, DeviceRow> devicesOfCandidates(RolloutId id, QueuePosition after, QueuePosition end, int limit) {
    Map<String, DeviceRow> found = new HashMap<>();
    devices
        .listCandidates(id.tenant(), id.name(), after.wave(), after.position(), end.wave(), end.position(), limit)
        .forEach(row -> found.put(row.id().name(), row));
    return found;
  }

  public Optional<TargetRow> find(RolloutId id, String device) {
    return targets.find(id, device);
  }

  @Query(CANDIDATES + " AND state = 'pending' AND offline_since IS NULL" + IN_ORDER + " LIMIT :limit")
  abstract List<TargetRow> listPending(
      String tenant, String rollout, int last, int after, long afterPosition, int limit);

  @Query(CANDIDATES + " AND state = 'started' AND prepare_ahead AND offline_since IS NULL" + IN_ORDER + " LIMIT :limit")
  abstract List<TargetRow> listPrepared(
      String tenant, String rollout, int last, int after, long afterPosition, int limit);

  /// One state at a time: for a list of them H2 reads no index.
  @Query(
      "SELECT * FROM rollout_target" + " WHERE tenant = :tenant AND rollout = :rollout AND state = :state" + IN_ORDER)
  abstract List<TargetRow> listInState(String tenant, String rollout, TargetState state);

  @Query("SELECT id FROM upgrade WHERE tenant = :tenant AND outcome IS NULL")
  abstract List<String> listRunning(String tenant);

  /// An array, because H2 reads all upgrades of the tenant for a list of ids.
  @Query(
      """
      SELECT u.* FROM UNNEST(CAST(:ids AS VARCHAR ARRAY)) AS ids (id)
      JOIN upgrade u ON u.tenant = :tenant AND u.id = ids.id WHERE u.state = 'ended'\
      """)
  abstract List<UpgradeRow> listEnded(String tenant, @TypeDef(type = DataType.STRING_ARRAY) String[] ids);

  @Query(
      """
      SELECT t.* FROM rollout_target t
      LEFT JOIN upgrade u ON u.tenant = t.tenant AND u.id = t.upgrade
      WHERE u.id IS NULL AND t.started_at < :before
        AND t.tenant = :tenant AND t.rollout = :rollout AND t.state = 'started'\
      """
          + IN_QUEUE_ORDER)
  abstract List<TargetRow> listStartedWithoutUpgrade(String tenant, String rollout, Instant before);

  @Query(
      """
      SELECT t.* FROM rollout_target t
      LEFT JOIN upgrade u ON u.tenant = t.tenant AND u.id = t.revert_upgrade
      WHERE u.id IS NULL
        AND t.tenant = :tenant AND t.rollout = :rollout AND t.state = 'reverting'\
      """
          + IN_QUEUE_ORDER)
  abstract List<TargetRow> listRevertingWithoutUpgrade(String tenant, String rollout);

  @Query(
      """
      SELECT t.device, t.rollout AS text FROM (SELECT tenant, device FROM rollout_target
        WHERE tenant = :tenant AND rollout = :rollout AND state = 'pending' AND offline_since IS NULL
        AND wave >= :after AND (wave > :after OR position > :afterPosition)
        AND wave <= :last AND (wave < :last OR position <= :lastPosition)
        ORDER BY tenant, rollout, state, wave, position LIMIT :limit) mine
      JOIN rollout_target t ON t.tenant = mine.tenant AND t.device = mine.device AND t.state = 'pending'
      JOIN rollout r ON r.tenant = t.tenant AND r.id = t.rollout
      WHERE t.rollout <> :rollout AND r.state = 'running' AND t.wave <= r.current_wave
        AND (t.not_before IS NULL OR t.not_before <= :now)\
      """)
  abstract List<DeviceText> listDueElsewhere(
      String tenant,
      String rollout,
      int after,
      long afterPosition,
      int last,
      long lastPosition,
      int limit,
      Instant now);

  @Query(
      BUSY
          + " 'starting' UNION ALL "
          + BUSY
          + " 'started' UNION ALL "
          + BUSY
          + " 'proceeding' UNION ALL "
          + BUSY
          + " 'reverting'")
  abstract List<DeviceText> listBusyInRollouts(String tenant, String rollout);

  @Query(
      """
      SELECT u.device, 'upgrade ' || u.id AS text FROM upgrade u
      LEFT JOIN rollout_target t ON t.tenant = u.tenant AND t.rollout = :rollout AND t.device = u.device
      WHERE u.tenant = :tenant AND u.outcome IS NULL
        AND t.upgrade IS DISTINCT FROM u.id AND t.revert_upgrade IS DISTINCT FROM u.id\
      """)
  abstract List<DeviceText> listBusyInUpgrades(String tenant, String rollout);
}
