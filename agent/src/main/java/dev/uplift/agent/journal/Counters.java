package dev.uplift.agent.journal;

import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Counters that only rise, unless a signed command says otherwise.
///
/// @param epochs the highest of all commands received, per id of the command key that signed them: what a key has said
///   does not count any more once the key is not trusted
/// @param sequences of the release that was last installed, per package
record Counters(SortedMap<String, Long> epochs, SortedMap<String, Sequence> sequences) {
  static final Counters NONE = new Counters(new TreeMap<>(), new TreeMap<>());
  private static final int MAX_KEYS = 64;

  /// @param previous the sequence before, for a rollback
  /// @param upgradedFrom the version that the last upgrade set out from; empty if unknown
  /// @param known the version that was last measured before a change; empty if none was
  record Sequence(long current, long previous, String upgradedFrom, String known) {
    static final Sequence NONE = new Sequence(0, 0, "", "");
  }

  Counters {
    epochs = Collections.unmodifiableSortedMap(new TreeMap<>(epochs));
    sequences = Collections.unmodifiableSortedMap(new TreeMap<>(sequences));
  }

  static Counters read(byte[] json) {
    JsonObject in = JsonObject.parse(json);
    JsonObject packages = in.object("sequences");
    var sequences = new TreeMap<String, Sequence>();
    for (String name : packages.names()) {
      JsonObject sequence = packages.object(name);
      sequences.put(
          name,
          new Sequence(
              sequence.number("current"),
              sequence.numberOr("previous", 0),
              sequence.stringOr("upgraded_from", ""),
              sequence.stringOr("known", "")));
    }
    JsonObject keys = in.object("epochs");
    var epochs = new TreeMap<String, Long>();
    for (String keyId : keys.names()) {
      epochs.put(keyId, keys.number(keyId));
    }
    return new Counters(epochs, sequences);
  }

  byte[] write() {
    return JsonWriter.toBytes(out -> {
      out.put("epochs", keys -> epochs.forEach(keys::put));
      out.put(
          "sequences",
          packages ->
              sequences.forEach((name, sequence) ->
                  packages.put(
                      name,
                      inner ->
                          inner
                              .put("current", sequence.current)
                              .put("previous", sequence.previous)
                              .putUnlessEmpty("upgraded_from", sequence.upgradedFrom)
                              .putUnlessEmpty("known", sequence.known))));
    });
  }

  long highestEpoch(Set<String> keyIds) {
    long highest = 0;
    for (String keyId : keyIds) {
      highest = Math.max(highest, epochs.getOrDefault(keyId, 0L));
    }
    return highest;
  }

  Counters withEpoch(String keyId, long seen) {
    var changed = new TreeMap<>(epochs);
    changed.merge(keyId, seen, Math::max);
    if (changed.size() > MAX_KEYS) {
      long lowest = Long.MAX_VALUE;
      for (long each : changed.values()) {
        lowest = Math.min(lowest, each);
      }
      changed.values().remove(lowest);
    }
    return new Counters(changed, sequences);
  }

  long sequence(String packageName) {
    return of(packageName).current;
  }

  String upgradedFrom(String packageName) {
    return of(packageName).upgradedFrom;
  }

  String knownVersion(String packageName) {
    return of(packageName).known;
  }

  private Sequence of(String packageName) {
    return sequences.getOrDefault(packageName, Sequence.NONE);
  }

  Counters withKnownVersion(String packageName, String version) {
    Sequence now = of(packageName);
    return with(packageName, new Sequence(now.current, now.previous, now.upgradedFrom, version));
  }

  Counters withUpgradeFrom(String packageName, String version) {
    Sequence now = of(packageName);
    return with(packageName, new Sequence(now.current, now.previous, version, now.known));
  }

  Counters withInstalled(String packageName, long sequence) {
    Sequence now = of(packageName);
    return now.current == sequence
        ? this
        : with(packageName, new Sequence(sequence, now.current, now.upgradedFrom, now.known));
  }

  Counters withRolledBack(String packageName, long sequence) {
    Sequence now = of(packageName);
    return now.current != sequence || !sequences.containsKey(packageName)
        ? this
        : with(packageName, new Sequence(now.previous, now.previous, now.upgradedFrom, now.known));
  }

  private Counters with(String packageName, Sequence sequence) {
    var changed = new TreeMap<>(sequences);
    changed.put(packageName, sequence);
    return new Counters(epochs, changed);
  }
}
