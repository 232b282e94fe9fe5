package dev.uplift.agent.report;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.driver.HostPackage;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.protocol.FieldLimits;
import dev.uplift.protocol.json.MalformedMessage;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Measures the packages of the host: every question asks the driver again. A driver that takes too long counts as one
/// that cannot tell, and is not asked a second time meanwhile.
public final class PackageMeasurements {
  private static final System.Logger LOG = System.getLogger(PackageMeasurements.class.getName());

  private final Map<String, Probe> probes = new HashMap<>();
  private final Map<String, PackageState> latest = new ConcurrentHashMap<>();
  private final Duration timeout;

  public PackageMeasurements(SortedMap<String, HostPackage> packages, Duration timeout) {
    this.timeout = timeout;
    packages.forEach((name, it) -> probes.put(name, new Probe(it.driver()::inspect)));
  }

  /// Measures one package. The measurement begins after this call, so it reports nothing older. A package that this
  /// host does not have is unknown.
  public PackageState measure(String packageName) throws InterruptedException {
    Probe probe = probes.get(packageName);
    if (probe == null) {
      return PackageState.unknown();
    }
    PackageState packageState = await(packageName, probe.request());
    latest.put(packageName, packageState);
    return packageState;
  }

  /// Measures all packages at the same time.
  SortedMap<String, PackageState> measure() throws InterruptedException {
    var begun = new TreeMap<String, Probe.Run>();
    probes.forEach((name, probe) -> begun.put(name, probe.request()));
    var all = new TreeMap<String, PackageState>();
    for (Map.Entry<String, Probe.Run> run : begun.entrySet()) {
      all.put(run.getKey(), await(run.getKey(), run.getValue()));
    }
    latest.putAll(all);
    return all;
  }

  /// The last measurement.
  PackageState latest(String packageName) {
    return latest.getOrDefault(packageName, PackageState.unknown());
  }

  private PackageState await(String packageName, Probe.Run run) throws InterruptedException {
    try {
      return validated(packageName, run.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException _) {
      return PackageState.unknown();
    } catch (ExecutionException e) {
      LOG.log(WARNING, "a driver could not measure " + packageName, e);
      return PackageState.unknown();
    }
  }

  /// Returns the state if a message may carry it, else unknown.
  private static PackageState validated(String packageName, PackageState packageState) {
    try {
      FieldLimits.requireVersion(packageName, packageState.version());
      if (!packageState.staged().isEmpty()) {
        FieldLimits.requireVersion(packageName, packageState.staged());
      }
      return packageState;
    } catch (MalformedMessage e) {
      LOG.log(WARNING, "no version: {0}", e.getMessage());
      return PackageState.unknown();
    }
  }

  /// Asks one driver, one question at a time. A question that comes while one is under way waits for the next, because
  /// the one under way may have measured before.
  private static final class Probe {
    private final Supplier<PackageState> inspect;
    private @Nullable Run running;
    private @Nullable Run next;

    /// One question, with all that wait for its answer.
    static final class Run extends FutureTask<PackageState> {
      private Run(Supplier<PackageState> inspect) {
        super(inspect::get);
      }
    }

    Probe(Supplier<PackageState> inspect) {
      this.inspect = inspect;
    }

    synchronized Run request() {
      Run waiting = next;
      if (waiting != null) {
        return waiting;
      }
      Run fresh = new Run(inspect);
      if (running == null) {
        start(fresh);
      } else {
        next = fresh;
      }
      return fresh;
    }

    private synchronized void start(Run run) {
      running = run;
      Thread.ofVirtual()
          .name("inspect")
          .start(() -> {
            run.run();
            finished();
          });
    }

    private synchronized void finished() {
      Run waiting = next;
      running = null;
      next = null;
      if (waiting != null) {
        start(waiting);
      }
    }
  }
}
