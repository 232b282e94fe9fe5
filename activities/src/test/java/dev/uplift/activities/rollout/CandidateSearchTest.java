package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.rollout.CandidateSearch.SearchBounds;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.rollout.RolloutRules;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.pin.HostHold;
import dev.uplift.store.pin.HostHoldRepository;
import dev.uplift.store.rollout.NewRollout;
import dev.uplift.store.rollout.RolloutMembership;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.store.tenant.TenantRepository;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Devices that may start behind many that may not, and what it costs to find them.
final class CandidateSearchTest {
  private static final String TENANT = "acme";
  private static final SearchBounds FIVE_AT_ONCE = new SearchBounds(2, 5, Duration.ZERO);
  private static final int MANY = 60;

  /// Without those to a connection that the pool opens meanwhile.
  private static final String STATEMENTS =
      """
      SELECT SUM(EXECUTION_COUNT) FROM INFORMATION_SCHEMA.QUERY_STATISTICS
      WHERE SQL_STATEMENT NOT LIKE 'SET %' AND SQL_STATEMENT NOT LIKE 'CALL %'
      """;

  private final DatabaseSettings settings = DatabaseSettings.h2InMemory();
  private final ScriptedPresence presence = new ScriptedPresence(_ -> "1.4.0");
  private Database database;
  private RolloutRepositories repositories;

  @BeforeEach
  void open() {
    database = Database.open(settings);
    repositories = database.repository(RolloutRepositories.class);
    database.repository(TenantRepository.class).put(TENANT, "");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private List<String> devices(String prefix, int count) {
    List<String> names = IntStream.range(0, count).mapToObj(i -> "%s-%03d".formatted(prefix, i)).toList();
    names.forEach(name -> {
      var id = new DeviceId(TENANT, name);
      var spec = new DeviceSpec(id, List.of(new HostId(name + "-left")), Map.of(), ZoneOffset.UTC);
      repositories.common().devices().put(spec, Precondition.anything());
    });
    return names;
  }

  private List<String> heldDevices(int count) {
    List<String> names = devices("held", count);
    names.forEach(name ->
        repositories.common().devices().hold(new DeviceId(TENANT, name), "stocktaking", "ann", Optional.empty()));
    return names;
  }

  private RolloutId rollout(String name, int priority, List<String> devices) {
    RolloutPlan plan = RolloutPlan.defaults(RolloutTestWorker.RELEASE, "true");
    var id = new RolloutId(TENANT, name);
    var row =
        new NewRollout(
            id,
            name,
            RolloutTestWorker.RELEASE,
            RolloutJson.write(new RolloutSpec("", plan, RollbackScope.DEVICE, Duration.ZERO, false)),
            RolloutJson.write(RolloutRules.of(plan)),
            RolloutJson.write(RolloutControl.NONE),
            RolloutState.RUNNING,
            "ann",
            Optional.empty(),
            priority);
    var wave = new RolloutMembership.NewWave(1, 0, "all", devices);
    repositories.rollouts().create(row, new RolloutMembership(List.of(wave), List.of()));
    return id;
  }

  private PassResult pass(ReconcilePass passes) {
    return passes.run(Instant.now(), () -> {});
  }

  @Test
  void aDeviceBehindAnyNumberOfBlockedOnesIsStarted() {
    List<String> queue = new ArrayList<>(heldDevices(MANY));
    queue.addAll(devices("free", 1));
    var passes = new ReconcilePass(repositories, presence, rollout("north", 0, queue), FIVE_AT_ONCE);

    List<TargetRow> started = List.of();
    for (int i = 0; i < MANY && started.isEmpty(); i++) {
      PassResult result = pass(passes);
      started = result.toStart();
      assertThat(result.isSearching()).as("it goes on at once until it has found one").isEqualTo(started.isEmpty());
    }

    assertThat(started).extracting(TargetRow::device).containsExactly("free-000");
  }

  @Test
  void whatBlocksAllDevicesIsToldWhenAllWereLookedAt() {
    var passes = new ReconcilePass(repositories, presence, rollout("north", 0, heldDevices(MANY)), FIVE_AT_ONCE);

    PassResult result = pass(passes);
    for (int i = 0; i < MANY && result.isSearching(); i++) {
      result = pass(passes);
    }

    assertThat(result.decision()).isInstanceOf(Decision.Wait.class);
    assertThat(((Decision.Wait) result.decision()).reason()).isEqualTo(WaitReason.DEVICE_HELD);
    assertThat(result.decision().message()).startsWith("device-held: %d devices (held-000:".formatted(MANY));
  }

  @Test
  void aPinAgainstTheReleaseBlocksADevice() {
    List<String> queue = devices("shop", 5);
    pin("shop-000", Optional.empty());
    pin("shop-001", Optional.of("1.4.0"));
    pin("shop-002", Optional.of(RolloutTestWorker.RELEASE.version()));
    database
        .repository(HostHoldRepository.class)
        .record(
            TENANT,
            new HostId("shop-003-left"),
            List.of(
                new HostHold(
                    RolloutTestWorker.RELEASE.packageName(), "tests", "root", Instant.now(), Optional.empty())));
    var passes = new ReconcilePass(repositories, presence, rollout("north", 0, queue), FIVE_AT_ONCE);

    PassResult result = pass(passes);
    Set<String> started = new HashSet<>();
    for (int i = 0; i < 2 * MANY && !(result.decision() instanceof Decision.Wait); i++) {
      result.toStart().forEach(target -> started.add(target.device()));
      result = pass(passes);
    }

    assertThat(started).containsExactlyInAnyOrder("shop-002", "shop-004");
    assertThat(((Decision.Wait) result.decision()).reason()).isEqualTo(WaitReason.DEVICE_PINNED);
    assertThat(result.decision().message())
        .contains("device-pinned: 3 devices (shop-000: ", " is held by ann: certified)");
  }

  private void pin(String device, Optional<String> version) {
    repositories
        .common()
        .pins()
        .set(
            new DeviceId(TENANT, device),
            RolloutTestWorker.RELEASE.packageName(),
            version,
            "certified",
            "ann",
            Optional.empty());
  }

  @Test
  void inAStoppedTenantNoDeviceIsStarted() {
    var stops = repositories.common().tenantStops();
    stops.stop(TENANT, "a bad release", "ann");
    var passes = new ReconcilePass(repositories, presence, rollout("north", 0, devices("shop", 3)), FIVE_AT_ONCE);

    PassResult stopped = pass(passes);

    assertThat(stopped.toStart()).isEmpty();
    assertThat(((Decision.Wait) stopped.decision()).reason()).isEqualTo(WaitReason.STOPPED);
    assertThat(stopped.decision().message()).startsWith("acme was stopped by ann at ").endsWith(": a bad release");
    stops.end(TENANT);
    assertThat(pass(passes).toStart()).isNotEmpty();
  }

  @Test
  void searchContinuesBehindTheDevicesThatWereStarted() {
    List<String> queue = new ArrayList<>(heldDevices(MANY));
    queue.addAll(devices("free", 7));
    var passes = new ReconcilePass(repositories, presence, rollout("north", 0, queue), FIVE_AT_ONCE);

    Set<String> started = new HashSet<>();
    for (int i = 0; i < 2 * MANY && started.size() < 7; i++) {
      pass(passes).toStart().forEach(target -> started.add(target.device()));
    }

    assertThat(started).hasSize(7);
  }

  @Test
  void anActionOfAnOperatorEndsALongSearch() {
    RolloutId id = rollout("north", 0, heldDevices(MANY));
    var passes = new ReconcilePass(repositories, presence, id, new SearchBounds(2, 5, Duration.ofMinutes(1)));
    var betweenPages = new AtomicInteger();

    PassResult result =
        passes.run(
            Instant.now(),
            () -> {
              betweenPages.incrementAndGet();
              repositories.rollouts().setControl(id, RolloutJson.write(RolloutControl.NONE.paused("ann")));
            });

    assertThat(result.isSearching()).isTrue();
    assertThat(betweenPages).hasValue(1);
    assertThat(passes.statusUnlessAt(result.row().revision())).isPresent();
  }

  @Test
  void aPassTakesAsManyStatementsForManyCandidatesAndRivalsAsForFew() throws SQLException {
    List<String> many = heldDevices(500);
    long few = statementsOfAPass(rollout("few", 0, many.subList(0, 5)));
    IntStream.range(0, 5).forEach(i -> startedRollout("rival-" + i, many));
    RolloutId id = rollout("many", 0, many);

    long all = statementsOfAPass(id);

    assertThat(all).as("where a statement for each device would make 500 more").isLessThan(few + 20);
  }

  private void startedRollout(String name, List<String> devices) {
    RolloutId id = rollout(name, 9, devices);
    repositories.rollouts().startWave(id, 1);
  }

  private long statementsOfAPass(RolloutId id) throws SQLException {
    var passes = new ReconcilePass(repositories, presence, id, new SearchBounds(500, 500, Duration.ZERO));
    try (Connection connection = DriverManager.getConnection(settings.url(), settings.user(), settings.password());
        var statement = connection.createStatement()) {
      statement.execute("SET QUERY_STATISTICS_MAX_ENTRIES 10000");
      statement.execute("SET QUERY_STATISTICS TRUE");
      pass(passes);
      try (ResultSet found = statement.executeQuery(STATEMENTS)) {
        found.next();
        long count = found.getLong(1);
        statement.execute("SET QUERY_STATISTICS FALSE");
        return count;
      }
    }
  }
}
