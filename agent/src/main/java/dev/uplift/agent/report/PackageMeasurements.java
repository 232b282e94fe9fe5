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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// What the drivers find, asked anew every time. A driver that takes too long counts as one that
/// cannot tell, and is not asked a second time meanwhile.
public final class PackageMeasurements {
  private static final System.Logger LOG = System.getLogger(PackageMeasurements.class.getName());

  private final Map<String, PackageProbe> probes = new HashMap<>();
  private final Map<String, PackageState> latest = new ConcurrentHashMap<>();
  private final Duration timeout;

  public PackageMeasurements(SortedMap<String, HostPackage> packages, Duration timeout) {
    this.timeout = timeout;
    packages.forEach((name, it) -> probes.put(name, new PackageProbe(it.driver()::inspect)));
  }

  /// Begun after this call, so nothing that was true before is reported. Nothing is known of a
  /// package that this host has not.
  public PackageState measure(String packageName) throws InterruptedException {
    PackageProbe packageProbe = probes.get(packageName);
    if (packageProbe == null) {
      return PackageState.unknown();
    }
    PackageState packageState = await(packageName, packageProbe.request());
    latest.put(packageName, packageState);
    return packageState;
  }

  /// All packages at once.
  SortedMap<String, PackageState> measure() throws InterruptedException {
    var begun = new TreeMap<String, PackageProbe.Run>();
    probes.forEach((name, packageProbe) -> begun.put(name, packageProbe.request()));
    var all = new TreeMap<String, PackageState>();
    for (Map.Entry<String, PackageProbe.Run> run : begun.entrySet()) {
      all.put(run.getKey(), await(run.getKey(), run.getValue()));
    }
    latest.putAll(all);
    return all;
  }

  /// What was found when somebody last looked.
  PackageState latest(String packageName) {
    return latest.getOrDefault(packageName, PackageState.unknown());
  }

  private PackageState await(String packageName, PackageProbe.Run run) throws InterruptedException {
    try {
      return validated(packageName, run.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException _) {
      return PackageState.unknown();
    } catch (ExecutionException e) {
      LOG.log(WARNING, "a driver could not look at " + packageName, e);
      return PackageState.unknown();
    }
  }

  /// What may be said in a message.
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
}
