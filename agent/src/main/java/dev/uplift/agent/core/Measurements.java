package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.driver.Found;
import dev.uplift.protocol.Bounds;
import dev.uplift.protocol.MalformedMessage;
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
final class Measurements {
  private static final System.Logger LOG = System.getLogger(Measurements.class.getName());

  private final Map<String, Probe> probes = new HashMap<>();
  private final Map<String, Found> last = new ConcurrentHashMap<>();
  private final Duration limit;

  Measurements(SortedMap<String, HostPackage> packages, Duration limit) {
    this.limit = limit;
    packages.forEach((name, it) -> probes.put(name, new Probe(it.driver()::inspect)));
  }

  /// Begun after this call, so nothing that was true before is reported. Nothing is known of a
  /// package that this host has not.
  Found now(String packageName) throws InterruptedException {
    Probe probe = probes.get(packageName);
    if (probe == null) {
      return Found.nothing();
    }
    Found found = await(packageName, probe.begin());
    last.put(packageName, found);
    return found;
  }

  /// All packages at once.
  SortedMap<String, Found> now() throws InterruptedException {
    var begun = new TreeMap<String, Probe.Run>();
    probes.forEach((name, probe) -> begun.put(name, probe.begin()));
    var all = new TreeMap<String, Found>();
    for (Map.Entry<String, Probe.Run> run : begun.entrySet()) {
      all.put(run.getKey(), await(run.getKey(), run.getValue()));
    }
    last.putAll(all);
    return all;
  }

  /// What was found when somebody last looked.
  Found last(String packageName) {
    return last.getOrDefault(packageName, Found.nothing());
  }

  private Found await(String packageName, Probe.Run run) throws InterruptedException {
    try {
      return sound(packageName, run.get(limit.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException _) {
      return Found.nothing();
    } catch (ExecutionException e) {
      LOG.log(WARNING, "a driver could not look at " + packageName, e);
      return Found.nothing();
    }
  }

  /// What may be said in a message.
  private static Found sound(String packageName, Found found) {
    try {
      Bounds.version(packageName, found.version());
      if (!found.staged().isEmpty()) {
        Bounds.version(packageName, found.staged());
      }
      return found;
    } catch (MalformedMessage e) {
      LOG.log(WARNING, "no version: {0}", e.getMessage());
      return Found.nothing();
    }
  }
}
