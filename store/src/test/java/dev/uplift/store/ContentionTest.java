package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.store.command.CommandEncoder;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.OutcomeRecorded;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.device.SaveResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Two servers at once: two open databases, many threads each.
final class ContentionTest extends DatabaseScenario {
  private static final int THREADS = 8;
  private static final Release RELEASE = new Release("os", "1");
  private static final WaitingActivity WAITER = new WaitingActivity("w", "1");

  private static final CommandEncoder ENCODER = basis -> new SignedCommand(basis.id(), "do", "");

  /// Moves forwards and backwards by up to a minute with every read.
  private final AtomicLong readings = new AtomicLong();

  private final InstantSource driftingClock =
      () -> clock.instant().plusMillis((readings.incrementAndGet() * 7919) % 120_000 - 60_000);

  @Test
  void twoServersThatCreateTheSameCommandGetTheSameBytes() throws Exception {
    onTwoServers(
        (commandRepository, thread) -> {
          var seen = new ArrayList<String>();
          for (int i = 0; i < 40; i++) {
            CommandRow row =
                commandRepository.createIfAbsent(
                    key("shared-" + i, Step.UPGRADE),
                    RELEASE,
                    WAITER,
                    basis -> new SignedCommand(basis.id(), UUID.randomUUID().toString(), "by " + thread));
            seen.add(row.id() + row.command().orElseThrow());
          }
          return seen;
        },
        results -> assertThat(new HashSet<>(results)).hasSize(1));
  }

  @Test
  void aCancelAndItsConcurrentCommandLeaveOneToPublish() throws Exception {
    onTwoServers(
        (commandRepository, thread) -> {
          var seen = new ArrayList<String>();
          for (int i = 0; i < 40; i++) {
            CommandKey key = key("cancelled-" + i, Step.PREPARE);
            if (thread % 2 == 0) {
              commandRepository.cancel(
                  key, (basis, _) -> new SignedCommand(basis.id(), UUID.randomUUID().toString(), ""));
            }
            CommandRow row =
                commandRepository.createIfAbsent(
                    key, RELEASE, WAITER, basis -> new SignedCommand(basis.id(), "command", ""));
            if (thread % 2 == 0) {
              seen.add(row.isWithdrawn() ? "withdrawn" : row.toPublish().body());
            }
          }
          return seen;
        },
        results -> {
          List<List<String>> cancelling = results.stream().filter(seen -> !seen.isEmpty()).toList();
          assertThat(new HashSet<>(cancelling)).hasSize(1);
          assertThat(cancelling.getFirst()).doesNotContain("command");
        });
  }

  @Test
  void epochsIncreaseAlthoughTheClockGoesBack() throws Exception {
    record Minted(long begun, long ended, long epoch) {}
    var order = new AtomicLong();
    var created = new ConcurrentLinkedQueue<Minted>();

    onTwoServers(
        (commandRepository, thread) -> {
          for (int i = 0; i < 40; i++) {
            long begun = order.incrementAndGet();
            CommandRow row =
                commandRepository.createIfAbsent(
                    key("thread-" + thread + "-" + i, Step.UPGRADE),
                    RELEASE,
                    WAITER,
                    basis -> new SignedCommand(basis.id(), Long.toString(basis.epoch()), ""));
            created.add(new Minted(begun, order.incrementAndGet(), row.epoch()));
          }
          return List.of();
        },
        _ -> {});

    assertThat(created).extracting(Minted::epoch).doesNotHaveDuplicates();
    for (Minted one : created) {
      assertThat(created)
          .filteredOn(other -> other.begun() > one.ended())
          .allMatch(later -> later.epoch() > one.epoch());
    }
  }

  @Test
  void onlyOneOfManyConcurrentOutcomesWins() throws Exception {
    var firsts = new LongAdder();
    var commandRepository = database.repository(CommandRepository.class);
    CommandRow row = commandRepository.createIfAbsent(key("settled", Step.UPGRADE), RELEASE, WAITER, ENCODER);

    onTwoServers(
        (each, thread) -> {
          OutcomeRecorded outcomeRecorded =
              each.recordOutcome(tenant, new HostId("left"), row.id(), "said " + thread).orElseThrow();
          if (outcomeRecorded.isFirst()) {
            firsts.increment();
          }
          return List.of(outcomeRecorded.row().outcome().orElseThrow());
        },
        results -> assertThat(new HashSet<>(results)).hasSize(1));

    assertThat(firsts.sum()).isEqualTo(1);
    assertThat(commandRepository.timeline(tenant, "settled").getFirst().lateOutcomes()).isNotEmpty();
  }

  @Test
  void anActivityThatBeginsToWaitWhileItsHostAnswersLearnsTheAnswer() throws Exception {
    Map<Integer, Set<Optional<WaitingActivity>>> unanswered = new ConcurrentHashMap<>();
    Map<Integer, Optional<WaitingActivity>> told = new ConcurrentHashMap<>();
    List<CommandKey> keys = IntStream.range(0, 40).mapToObj(i -> key("awaited-" + i, Step.UPGRADE)).toList();
    List<String> ids =
        keys.stream()
            .map(key -> database.repository(CommandRepository.class).createIfAbsent(key, RELEASE, WAITER, ENCODER).id())
            .toList();

    onTwoServers(
        (each, thread) -> {
          for (int i = 0; i < keys.size(); i++) {
            if (thread % 2 == 0) {
              var waiter = new WaitingActivity("w", "of " + thread);
              CommandRow row = each.createIfAbsent(keys.get(i), RELEASE, waiter, ENCODER);
              if (row.outcome().isEmpty()) {
                unanswered.computeIfAbsent(i, _ -> ConcurrentHashMap.newKeySet()).add(row.waiter());
              }
            } else {
              OutcomeRecorded recorded =
                  each.recordOutcome(tenant, new HostId("left"), ids.get(i), "done").orElseThrow();
              if (recorded.isFirst()) {
                told.put(i, recorded.row().waiter());
              }
            }
          }
          return List.of();
        },
        _ -> {});

    assertThat(told).hasSize(keys.size());
    unanswered.forEach((i, waiters) -> assertThat(waiters).as("of %d", i).contains(told.get(i)));
  }

  @Test
  void aHostAddedToManyDevicesAtOnceIsOnOneOfThem() throws Exception {
    onTwoDatabases(
        (each, thread) -> {
          var deviceRepository = each.repository(DeviceRepository.class);
          var created = new ArrayList<Boolean>();
          for (int i = 0; i < 10; i++) {
            SaveResult saveResult =
                deviceRepository.put(
                    spec("device-" + thread + "-" + i, "mine-" + thread + "-" + i, "wanted-" + i),
                    Precondition.absent());
            created.add(saveResult instanceof SaveResult.Created);
          }
          return created;
        },
        results -> {
          for (int i = 0; i < 10; i++) {
            int at = i;
            assertThat(results).filteredOn(created -> created.get(at)).hasSize(1);
            assertThat(database.repository(DeviceRepository.class).findByHost(tenant, new HostId("wanted-" + i)))
                .isPresent();
          }
        });
  }

  @Test
  void concurrentChangesOfOneDeviceAreSerialized() throws Exception {
    database.repository(DeviceRepository.class).put(spec("site", "left"), Precondition.absent());

    onTwoDatabases(
        (each, thread) -> {
          for (int i = 0; i < 10; i++) {
            String label = "label-" + thread + "-" + i;
            each.repository(DeviceRepository.class)
                .patch(
                    device("site"),
                    Precondition.present(),
                    found -> {
                      var labels = new TreeMap<>(found.labels());
                      labels.put(label, "there");
                      return new DeviceSpec(found.id(), found.hosts(), labels, found.zone());
                    });
          }
          return List.of();
        },
        _ -> {});

    DeviceRow found = database.repository(DeviceRepository.class).find(device("site")).orElseThrow();
    assertThat(found.spec().labels()).hasSize(THREADS * 10);
    assertThat(found.version()).isEqualTo(1 + THREADS * 10);
  }

  private CommandKey key(String upgrade, Step step) {
    return new CommandKey(tenant, upgrade, new HostId("left"), step, 1);
  }

  private interface Work<S, T> {
    List<T> with(S each, int thread) throws Exception;
  }

  private interface Check<T> {
    void of(List<List<T>> results);
  }

  private <T> void onTwoServers(Work<CommandRepository, T> work, Check<T> check) throws Exception {
    onTwoDatabases((each, thread) -> work.with(each.repository(CommandRepository.class), thread), check);
  }

  private <T> void onTwoDatabases(Work<Database, T> work, Check<T> check) throws Exception {
    try (Database one = Database.open(settings, driftingClock);
        Database other = Database.open(settings, driftingClock);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      var calls = new ArrayList<Callable<List<T>>>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        calls.add(() -> work.with(thread < THREADS / 2 ? one : other, thread));
      }
      check.of(results(threads.invokeAll(calls, Duration.ofMinutes(1).toSeconds(), TimeUnit.SECONDS)));
    }
  }

  private static <T> List<List<T>> results(List<Future<List<T>>> futures)
      throws ExecutionException, InterruptedException {
    var results = new ArrayList<List<T>>();
    for (Future<List<T>> future : futures) {
      results.add(future.get());
    }
    return results;
  }
}
