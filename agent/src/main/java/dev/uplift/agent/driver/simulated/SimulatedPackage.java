package dev.uplift.agent.driver.simulated;

import dev.uplift.agent.driver.OfferReader;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.protocol.PackageOffer;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The state of a simulated package, as texts by name. A missing text is empty.
final class SimulatedPackage {
  private static final String VERSION = "version";
  private static final String STAGED = "staged";
  private static final String BEFORE = "before";

  /// Version that the next boot brings, and the boot in which that was decided.
  private static final String PENDING = "pending";

  private static final String BOOT = "boot";

  /// The boot since which it is on trial.
  private static final String TRIAL = "trial";

  /// The updates that the last upgrade has installed.
  private static final String TAKEN = "taken";

  private static final String OFFERED = "offered";

  /// The barrier for which it is halted.
  private static final String HALTED = "halted";

  private final SortedMap<String, String> values;
  private final Optional<String> offered;
  private final String security;

  SimulatedPackage(SortedMap<String, String> values, PackageOptions settings) {
    this.values = new TreeMap<>(values);
    this.offered = settings.text(OFFERED);
    this.security = settings.text("offered_security").orElse("");
    this.values.putIfAbsent(VERSION, settings.text(VERSION).orElse(PackageState.UNKNOWN));
  }

  SortedMap<String, String> values() {
    return values;
  }

  /// Applies the effects of a boot that happened meanwhile.
  void boot(String bootId) {
    if (!get(PENDING).isEmpty() && !get(BOOT).equals(bootId)) {
      set(VERSION, get(PENDING));
      set(PENDING, "");
      if (isOnTrial()) {
        set(TRIAL, bootId);
      }
    } else if (isOnTrial() && !get(TRIAL).equals(bootId) && get(PENDING).isEmpty()) {
      set(VERSION, get(BEFORE));
      set(TRIAL, "");
    }
  }

  PackageState toPackageState() {
    return new PackageState(version(), get(STAGED), isOnTrial(), offer());
  }

  private Optional<PackageOffer> offer() {
    String left = offered.filter(words -> !words.equals(get(TAKEN))).orElse("");
    return offered.flatMap(_ -> OfferReader.read(Map.of(OFFERED, left, "offered_security", security), ""));
  }

  /// Marks the offered updates as installed, for any version.
  void takeOffer() {
    set(TAKEN, offered.orElse(""));
  }

  void restoreOffer() {
    set(TAKEN, "");
  }

  boolean isOfferedUpdates() {
    return offer().filter(found -> found.updates() > 0).isPresent();
  }

  String version() {
    return get(VERSION);
  }

  boolean isStaged(String version) {
    return get(STAGED).equals(version);
  }

  boolean isPending(String version) {
    return get(PENDING).equals(version);
  }

  boolean isPending() {
    return !get(PENDING).isEmpty();
  }

  void stage(String version) {
    set(STAGED, version);
  }

  void switchTo(String version) {
    set(BEFORE, version());
    set(VERSION, version);
    set(PENDING, "");
    set(STAGED, "");
  }

  void switchToAtNextBoot(String version, String bootId) {
    set(BEFORE, version());
    set(PENDING, version);
    set(BOOT, bootId);
    set(STAGED, "");
  }

  /// @param barrier for which it is halted; empty: it works
  void halt(String barrier) {
    set(HALTED, barrier);
  }

  private boolean isOnTrial() {
    return !get(TRIAL).isEmpty();
  }

  void beginTrial(String bootId) {
    set(TRIAL, bootId);
  }

  void endTrial() {
    set(TRIAL, "");
  }

  /// Returns how often this was counted before.
  long count(String what) {
    long before = Long.parseLong(values.getOrDefault("count." + what, "0"));
    set("count." + what, Long.toString(before + 1));
    return before;
  }

  private String get(String name) {
    return values.getOrDefault(name, "");
  }

  private void set(String name, String text) {
    if (text.isEmpty()) {
      values.remove(name);
    } else {
      values.put(name, text);
    }
  }
}
