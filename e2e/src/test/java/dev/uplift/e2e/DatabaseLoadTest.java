package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.scenario.SimulatedHosts;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Counts what the upgrade of a device with one host, without a reboot, asks of the database. Nothing here reads the
/// tables meanwhile but the server itself, whose periodic reads are measured before and subtracted.
@Timeout(300)
final class DatabaseLoadTest {
  private static final String TENANT = "acme";
  private static final String PACKAGE = "till";

  /// What was counted, and a little for the time at which the periodic tasks run.
  private static final double MAX_TRANSACTIONS = 12;

  private static final double MAX_WRITES = 9;
  private static final double MAX_STATEMENTS = 33;

  private static final int DEVICES = 4;
  private static final int UPGRADES_PER_DEVICE = 5;

  private final Stack stack = TestServers.stack().open();

  @AfterEach
  void endAll() {
    stack.close();
  }

  @Test
  void anUpgradeTakesFewTransactions() throws Exception {
    stack.server().environment("UPLIFT_RECONCILE_INTERVAL", "PT1H");
    stack.start();
    var rest = new TestRestClient(stack, TENANT);
    List<String> devices = startHosts(rest);
    try (var runs = new WorkflowRuns(stack)) {
      upgradeAll(rest, runs, devices, 2);
      Load background = Load.between(sample(), afterAWhile());

      Sample before = sample();
      for (int version = 3; version < 3 + UPGRADES_PER_DEVICE; version++) {
        upgradeAll(rest, runs, devices, version);
      }
      Load load = Load.between(before, sample()).without(background).dividedBy(DEVICES * UPGRADES_PER_DEVICE);

      assertThat(load.transactions()).as("transactions of %s", load).isLessThanOrEqualTo(MAX_TRANSACTIONS);
      assertThat(load.writeTransactions()).as("those that write of %s", load).isLessThanOrEqualTo(MAX_WRITES);
      assertThat(load.statements()).as("statements of %s", load).isLessThanOrEqualTo(MAX_STATEMENTS);
    }
  }

  private List<String> startHosts(TestRestClient rest) {
    var hosts =
        new SimulatedHosts(
            "simulator",
            TENANT,
            "sim-",
            0,
            DEVICES,
            PACKAGE,
            "1.0",
            SimulatedHosts.DEFAULT_HEARTBEAT_INTERVAL,
            Map.of());
    hosts.hostNames().forEach(host -> rest.putDevice(host, host));
    hosts.programOn(stack).start();
    await("all hosts are online").atMost(Duration.ofMinutes(2)).until(() -> countOnline(rest) == DEVICES);
    return hosts.hostNames();
  }

  private static long countOnline(TestRestClient rest) {
    return rest.get("hosts?limit=1000")
        .expectStatus(200)
        .body()
        .path("items")
        .valueStream()
        .filter(host -> host.path("presence").asString("").equals("online"))
        .count();
  }

  /// Upgrades one device after another, and reads nothing from the server meanwhile.
  private static void upgradeAll(TestRestClient rest, WorkflowRuns runs, List<String> devices, int version) {
    rest.publish(PACKAGE, "simulated", version + ".0", version);
    for (String device : devices) {
      rest.startUpgrade(device + "-" + version, device, PACKAGE, version + ".0").expectStatus(201);
      runs.awaitEndOf("upgrade/" + TENANT + "/" + device);
    }
  }

  /// The periodic tasks come every few seconds.
  private Sample afterAWhile() {
    await().pollDelay(Duration.ofSeconds(12)).atMost(Duration.ofMinutes(1)).until(() -> true);
    return sample();
  }

  /// The counters of the server since its start.
  private record Sample(Instant at, double statements, double readTransactions, double writeTransactions) {}

  private Sample sample() {
    String metrics = metrics();
    return new Sample(
        Instant.now(),
        value(metrics, "uplift_database_statements_total"),
        value(metrics, "uplift_database_transactions_total{kind=\"read\"}"),
        value(metrics, "uplift_database_transactions_total{kind=\"write\"}"));
  }

  private String metrics() {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(stack.server().url() + "/prometheus")).build();
      return http.send(request, BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static double value(String metrics, String name) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + " in " + metrics));
  }

  /// What was asked of the database within a time.
  private record Load(Duration time, double statements, double readTransactions, double writeTransactions) {
    static Load between(Sample first, Sample last) {
      return new Load(
          Duration.between(first.at, last.at),
          last.statements - first.statements,
          last.readTransactions - first.readTransactions,
          last.writeTransactions - first.writeTransactions);
    }

    double transactions() {
      return readTransactions + writeTransactions;
    }

    Load without(Load background) {
      double share = (double) time.toMillis() / background.time.toMillis();
      return new Load(
          time,
          statements - share * background.statements,
          readTransactions - share * background.readTransactions,
          writeTransactions - share * background.writeTransactions);
    }

    Load dividedBy(int upgrades) {
      return new Load(
          time.dividedBy(upgrades), statements / upgrades, readTransactions / upgrades, writeTransactions / upgrades);
    }
  }
}
