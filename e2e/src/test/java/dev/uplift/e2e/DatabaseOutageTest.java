package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Event;
import dev.uplift.protocol.Subjects;
import dev.uplift.temporaldev.bench.ProcessUsage;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.PostgresServer;
import dev.uplift.testservers.TestServers;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.ConsumerInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// PostgreSQL is away while a rollout is in progress and hosts report more than the server can keep in memory.
///
/// `-Doutage.minutes=60` keeps it away for that long, under load all the time, and prints the heap each minute.
final class DatabaseOutageTest {
  private static final int DEVICES = 60;
  private static final String PACKAGE = "till";

  /// Fewer than a stream keeps of one host, and in all many times as many as the server takes.
  private static final int EVENTS_PER_HOST = 600;

  /// The most messages that the event consumer has in flight.
  private static final int MAX_IN_FLIGHT = 4096;

  /// Several times what so many events take, and less than all that were sent.
  private static final long MAX_HEAP_GROWTH_KIB = 48 * 1024;

  private static final int OUTAGE_MINUTES = Integer.getInteger("outage.minutes", 0);
  private static final Duration TIMEOUT = Duration.ofMinutes(4);
  private final Stack stack = TestServers.stack().open();

  @AfterEach
  void endAll() {
    stack.close();
  }

  @Test
  @Timeout(value = 90, unit = TimeUnit.MINUTES)
  void memoryStaysBoundedAndNothingIsLost() throws Exception {
    try (PostgresServer database =
        TestServers.postgres(stack.host(SimulatedFleet.TENANT, "database").servicePort("postgresql"))) {
      SimulatedFleet.on(database, stack.server());
      stack.start();
      var fleet = new SimulatedFleet(stack, new TestRestClient(stack, SimulatedFleet.TENANT), DEVICES);
      fleet.start(List.of(PACKAGE), _ -> "all");
      fleet.rollOut(PACKAGE, 20, 0);
      fleet.awaitEnded(PACKAGE, 5);
      long before = usedHeapKib();

      database.kill();
      reportProgressOfAllHosts();
      await("the server has taken what it takes")
          .atMost(TIMEOUT)
          .until(() -> events().getNumAckPending() >= MAX_IN_FLIGHT);
      long most = usedHeapKib();
      for (int minute = 1; minute <= OUTAGE_MINUTES; minute++) {
        reportProgressOfAllHosts();
        await().pollDelay(Duration.ofMinutes(1)).timeout(TIMEOUT).until(() -> true);
        long now = usedHeapKib();
        System.out.printf("minute %d: %d KiB of heap, %d before the outage%n", minute, now, before);
        most = Math.max(most, now);
      }
      database.start();

      assertThat(most - before).isLessThan(MAX_HEAP_GROWTH_KIB);
      assertThat(fleet.awaitEnd(PACKAGE)).isEqualTo("partial");
      await("no event is left")
          .atMost(TIMEOUT)
          .until(() -> events().getNumAckPending() + events().getNumPending() == 0);
      RolloutTableContents rollout = RolloutTableContents.read(database.url("postgres"), database.user(), "", PACKAGE);
      assertThat(rollout.devices().values())
          .hasSize(DEVICES)
          .noneMatch(device -> device.contains("stranded") || device.contains("aborted"));
      assertThat(rollout.upgrades().values()).hasSize(DEVICES).containsOnly(1L);
      assertThat(rollout.prepareCommands().values()).hasSize(DEVICES).containsOnly(1L);
    }
  }

  private long usedHeapKib() {
    return ProcessUsage.usedHeapKib(stack.server().pid());
  }

  /// Publishes as agents do that download for long.
  private void reportProgressOfAllHosts() throws Exception {
    byte[] event =
        new Event(
                "01K0000000000000000000000",
                1,
                "",
                "boot-1",
                "1.0",
                "",
                false,
                Instant.EPOCH,
                new Event.Progress("download", "x".repeat(900), 50))
            .write();
    Connection hosts = connect(stack.nats().operator().fleetCredentials(SimulatedFleet.TENANT));
    try {
      for (int i = 0; i < EVENTS_PER_HOST; i++) {
        for (int number = 0; number < DEVICES; number++) {
          String host = Subjects.hostAddress(SimulatedFleet.TENANT, SimulatedFleet.name(number));
          hosts.publish(Subjects.events(host), event);
        }
      }
      hosts.flush(TIMEOUT);
    } finally {
      hosts.close();
    }
  }

  private ConsumerInfo events() throws Exception {
    Connection server = connect(stack.nats().operator().serverCredentials());
    try {
      return server.jetStreamManagement().getConsumerInfo(Subjects.EVENT_STREAM, Subjects.EVENT_CONSUMER);
    } finally {
      server.close();
    }
  }

  private Connection connect(Path credentials) throws Exception {
    return Nats.connect(
        Options.builder().server(stack.nats().url()).authHandler(Nats.credentials(credentials.toString())).build());
  }
}
