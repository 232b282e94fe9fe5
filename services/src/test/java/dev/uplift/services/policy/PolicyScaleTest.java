package dev.uplift.services.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.policy.PolicyDeviceState;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.PageRequest;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.testservers.PostgresServer;
import dev.uplift.testservers.TestServers;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What an evaluation costs with many devices and 50 policies, in a file of H2. `-Dpolicy.devices=100000` and
/// `-Dpolicy.database=postgresql` make it larger and have it in PostgreSQL; what it prints is in `docs/benchmarks.md`.
@Timeout(1_800)
final class PolicyScaleTest extends PolicyEvaluatorScenario {
  private static final int DEVICES = Integer.getInteger("policy.devices", 5_000);
  private static final int REGIONS = 48;

  /// One for each region, one for all devices, and a fallback.
  private static final int POLICIES = REGIONS + 2;

  private static final long MIB = 1 << 20;
  private static final long HEAP_LIMIT = 50 * MIB;

  private Optional<PostgresServer> postgres = Optional.empty();

  @Override
  DatabaseSettings newDatabase() {
    if (!System.getProperty("policy.database", "h2").equals("postgresql")) {
      return DatabaseSettings.h2File(Reaper.ofThisJvm().temporaryFolder("uplift-h2-").resolve("uplift"));
    }
    PostgresServer server = TestServers.postgres();
    postgres = Optional.of(server);
    return new DatabaseSettings(server.url(server.user()), server.user(), "");
  }

  @AfterEach
  void stop() {
    postgres.ifPresent(PostgresServer::close);
  }

  @Test
  void anEvaluationOfAllDevicesCostsAFewStatementsForEachPageAndLittleMemory() {
    var fleet = new PolicyFleet(database, tables, DEVICES, REGIONS);
    fleet.create();
    for (int i = 1; i < REGIONS; i++) {
      var _ = enable("r" + i, "r" + i, new PolicyTarget.Exactly("1.5.0"), 0, false);
    }
    PolicyRow region = enable("r0", "r0", new PolicyTarget.Exactly("1.5.0"), 0, false);
    PolicyRow usual = enable("usual", "", new PolicyTarget.Exactly("1.5.0"), 0, true);
    PolicyRow all = enable("all", "", new PolicyTarget.Exactly("1.6.0"), 1, false);
    fleet.createRollout(usual, new Release(PACKAGE, "1.5.0"));

    PolicyEvaluation ofRegion = measure(region);
    PolicyEvaluation ofFallback = measure(usual);
    PolicyEvaluation ofAll = measure(all);
    PolicyEvaluation ofOne = measureOne(all);

    int inRegion = (DEVICES + REGIONS - 1) / REGIONS;
    assertThat(ofRegion.count(PolicyDeviceState.CONFLICT)).isEqualTo(inRegion);
    assertThat(ofRegion.overruledBy()).containsExactly("all");
    assertThat(ofFallback.devices()).as("another policy applies to each").isZero();
    assertThat(ofFallback.withdrawn()).hasSize(DEVICES);
    assertThat(ofAll.due()).hasSize(DEVICES - DEVICES / 10);
    assertThat(ofAll.count(PolicyDeviceState.SATISFIED)).isEqualTo(DEVICES / 10);
    assertThat(ofAll.overrules()).hasSize(REGIONS);
    assertThat(ofOne.due()).containsExactly(PolicyFleet.device(7));
  }

  /// Looks at all devices twice: once for statements and times, once for memory.
  private PolicyEvaluation measure(PolicyRow policy) {
    Cost cost = new Cost();
    PolicyEvaluation evaluation = evaluate(policy);
    cost.print("all devices for " + policy.name());
    int pages = DEVICES / PageRequest.MAX_LIMIT + 1;
    assertThat(cost.statements())
        .as("the policies and their targets once, and a few for each page")
        .isBetween((long) pages, pages * 6L + 15 + 2 * POLICIES);
    assertThat(heapGrowth(policy)).as("bytes that live at once").isLessThan(HEAP_LIMIT);
    return evaluation;
  }

  private PolicyEvaluation measureOne(PolicyRow policy) {
    Cost cost = new Cost();
    PolicyEvaluation evaluation = evaluator.evaluate(policy, List.of(PolicyFleet.device(7)), _ -> {});
    cost.print("one device for " + policy.name());
    assertThat(cost.statements()).as("whatever the size of the fleet").isBetween(1L, 15L);
    return evaluation;
  }

  /// The most that lived within four of the pages, after them, and at the end, beyond what lived before.
  private long heapGrowth(PolicyRow policy) {
    var heap = new Heap(DEVICES / 4);
    PolicyEvaluation evaluation = evaluator.evaluate(policy, _ -> heap.countDevice(), heap::countPage);
    heap.look();
    System.out.printf("policies: heap of %s grew by %.1f MiB%n", policy.name(), heap.growth() / (double) MIB);
    assertThat(evaluation.release()).isPresent();
    return heap.growth();
  }

  /// What lives on the heap, looked at now and then: a look collects all garbage.
  private static final class Heap {
    private final int interval;
    private final long before = live();
    private long most = before;
    private int devices;
    private int pages;

    Heap(int interval) {
      this.interval = interval;
    }

    void countDevice() {
      devices++;
      if (devices % interval == interval / 2) {
        look();
      }
    }

    void countPage() {
      pages++;
      if (pages * PageRequest.MAX_LIMIT % interval == 0) {
        look();
      }
    }

    void look() {
      most = Math.max(most, live());
    }

    long growth() {
      return most - before;
    }

    private static long live() {
      System.gc();
      return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
  }

  /// What is spent from now on: time, of which some on this thread's processor and some in statements.
  private final class Cost {
    private final long began = System.nanoTime();
    private final long processor = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    private final long statementsBefore = database.counts().statements();
    private final Duration statementTime = database.counts().statementTime();

    long statements() {
      return database.counts().statements() - statementsBefore;
    }

    void print(String what) {
      System.out.printf(
          "policies: %s of %d: %.3f s, %.3f on the thread's processor, %.3f in %d statements%n",
          what,
          DEVICES,
          (System.nanoTime() - began) / 1e9,
          (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - processor) / 1e9,
          database.counts().statementTime().minus(statementTime).toNanos() / 1e9,
          statements());
    }
  }
}
