package dev.uplift.temporaldev.bench;

import dev.uplift.cli.keys.KeyFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.Sleeper;
import dev.uplift.cli.upgrade.UpgradeResponse;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.temporaldev.scenario.ExternalDatabase;
import dev.uplift.temporaldev.scenario.HostPresenceAwaiter;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.scenario.SimulatedHosts;
import dev.uplift.temporaldev.scenario.SimulatedRelease;
import dev.uplift.temporaldev.scenario.StackStarter;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackProgram;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// The started stack of a bench with one tenant, and the phases that several benches have.
final class BenchStack implements AutoCloseable {
  static final String TENANT = "bench";
  static final String PACKAGE = "app";
  private static final String INITIAL_VERSION = "1.0";
  private static final Duration PRESENCE_TIMEOUT = Duration.ofMinutes(10);

  /// Requests are sent in parallel, like those of operators and scripts.
  private static final int CLIENT_COUNT = 16;

  private final Stack stack;
  private final PhaseReporter phases;
  private final boolean isExternalDatabase;
  private final RestClient rest;
  private final SigningKey releaseKey;

  /// @param database empty: H2 within the server
  BenchStack(Stack stack, PhaseReporter phases, Optional<ExternalDatabase> database) {
    this.stack = stack;
    this.phases = phases;
    this.isExternalDatabase = database.isPresent();
    database.ifPresent(external -> external.setOn(stack.server()));
    StackStarter starter = new StackStarter(stack, phases);
    starter.start();
    rest = starter.openTenant(TENANT);
    releaseKey = KeyFile.readPrivate(stack.secrets().releaseKeyFile());
  }

  RestClient rest() {
    return rest;
  }

  /// Runs a phase and prints its line.
  void phase(String name, Supplier<String> phase) {
    phases.run(name, phase);
  }

  void sleep(String phase, Duration time) {
    phases.run(
        phase,
        () -> {
          Sleeper.sleep(time);
          return "";
        });
  }

  void publish(String version, long sequence, Map<String, String> arguments) {
    new SimulatedRelease(PACKAGE, version, sequence, arguments).publish(rest, releaseKey);
  }

  static List<String> deviceNames(int count) {
    return simulatedHosts(count).hostNames();
  }

  private static SimulatedHosts simulatedHosts(int count) {
    return new SimulatedHosts(
        "simulator",
        TENANT,
        "sim-",
        0,
        count,
        PACKAGE,
        INITIAL_VERSION,
        SimulatedHosts.DEFAULT_HEARTBEAT_INTERVAL,
        Map.of());
  }

  /// Adds devices with one host of the same name each.
  void addDevices(int count) {
    phases.run(
        "devices",
        () -> {
          forEach(deviceNames(count), device -> putDevice(device, _ -> {}));
          return Integer.toString(count);
        });
  }

  /// @param properties adds further properties
  void putDevice(String device, Consumer<ObjectNode> properties) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    body.putArray("hosts").add(device);
    properties.accept(body);
    var _ = rest.send("PUT", "devices/" + device, body);
  }

  /// Starts the hosts of the devices and blocks until all are online.
  StackProgram startSimulator(int count) {
    StackProgram simulator = simulatedHosts(count).programOn(stack);
    phases.run(
        "simulator",
        () -> {
          simulator.start();
          return HostPresenceAwaiter.awaitOnline(rest, _ -> true, count, PRESENCE_TIMEOUT);
        });
    return simulator;
  }

  /// Runs the task for each name in parallel. Blocks until all are done; throws the first failure.
  void forEach(List<String> names, Consumer<String> task) {
    try (ExecutorService clients = Executors.newFixedThreadPool(CLIENT_COUNT)) {
      CompletableFuture.allOf(
              names.stream()
                  .map(name -> CompletableFuture.runAsync(() -> task.accept(name), clients))
                  .toArray(CompletableFuture<?>[]::new))
          .join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof CliException failed) {
        throw failed;
      }
      throw e;
    }
  }

  List<UpgradeResponse> upgrades(List<String> ids) {
    List<UpgradeResponse> all = Collections.synchronizedList(new ArrayList<>());
    forEach(ids, id -> all.add(UpgradeResponse.of(rest.get("upgrades/" + RestClient.pathSegment(id)))));
    return all;
  }

  ResourceSnapshot resources(StackProgram simulator) {
    return ResourceSnapshot.capture(stack, simulator, isExternalDatabase);
  }

  /// Returns the usage at this moment, with everything counted that was done until then.
  ResourceSnapshot resourcesAfterWork(StackProgram simulator) {
    return resources(simulator).withLateCounts(stack);
  }

  boolean isExternalDatabase() {
    return isExternalDatabase;
  }

  /// Measures workflows that only wait, on the Temporal of this stack.
  FloorFigures floor(int workflows) {
    var floor = new TemporalFloor(stack, workflows);
    phases.run("floor, warm-up", () -> floor.run("warm-up"));
    ProcessUsage before = ProcessUsage.of(stack.temporal().pid());
    phases.run("floor", () -> floor.run("measured"));
    Duration cpu = ProcessUsage.of(stack.temporal().pid()).cpu().minus(before.cpu());
    return new FloorFigures(workflows, cpu, historyLengths(floor.sample("measured")));
  }

  long serverHeapKib() {
    return ProcessUsage.usedHeapKib(stack.server().pid());
  }

  /// Returns the lengths of the histories of workflows, from Temporal's HTTP interface.
  Percentiles historyLengths(List<String> workflows) {
    String base =
        "%s/api/v1/namespaces/%s/workflows/".formatted(stack.temporal().uiUrl(), stack.temporal().namespace());
    List<Long> lengths = new ArrayList<>();
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (String workflow : workflows) {
        URI address = URI.create(base + RestClient.pathSegment(workflow));
        String body = http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body();
        lengths.add(RestClient.JSON.readTree(body).at("/workflowExecutionInfo/historyLength").asLong());
      }
    } catch (IOException e) {
      throw new CliException(CliException.UNREACHABLE, "Temporal does not respond: " + e, e);
    } catch (InterruptedException e) {
      throw CliException.interrupted(e);
    }
    return Percentiles.of(lengths);
  }

  /// Returns the lengths of the histories of the newest upgrades of some devices.
  Percentiles upgradeHistoryLengths(int devices) {
    return historyLengths(deviceNames(devices).stream().map(device -> "upgrade/" + TENANT + "/" + device).toList());
  }

  @Override
  public void close() {
    rest.close();
  }
}
