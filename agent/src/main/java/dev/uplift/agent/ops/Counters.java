package dev.uplift.agent.ops;

import dev.uplift.protocol.Fields;
import dev.uplift.protocol.Json;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What only rises, unless a signed command says otherwise.
///
/// @param epoch the highest of all commands that were taken
/// @param sequences of the release that was last brought, per package
record Counters(long epoch, SortedMap<String, Sequence> sequences) {
  static final Counters NONE = new Counters(0, new TreeMap<>());

  /// @param before what it was before `now`, for the way back
  /// @param from the version that the last upgrade set out from; empty where that is not known
  record Sequence(long now, long before, String from) {}

  Counters {
    sequences = Collections.unmodifiableSortedMap(new TreeMap<>(sequences));
  }

  static Counters read(byte[] json) {
    Fields in = Fields.of(json);
    Fields packages = in.inner("sequences");
    var sequences = new TreeMap<String, Sequence>();
    for (String name : packages.names()) {
      Fields sequence = packages.inner(name);
      sequences.put(
          name,
          new Sequence(
              sequence.number("now"), sequence.numberOr("before", 0), sequence.textOr("from", "")));
    }
    return new Counters(in.number("epoch"), sequences);
  }

  byte[] write() {
    return Json.object(out -> {
      out.put("epoch", epoch);
      out.put(
          "sequences",
          packages ->
              sequences.forEach((name, sequence) ->
                  packages.put(
                      name,
                      inner ->
                          inner
                              .put("now", sequence.now)
                              .put("before", sequence.before)
                              .putUnlessEmpty("from", sequence.from))));
    });
  }

  Counters atEpoch(long seen) {
    return new Counters(Math.max(epoch, seen), sequences);
  }

  long sequence(String packageName) {
    Sequence known = sequences.get(packageName);
    return known == null ? 0 : known.now;
  }

  String from(String packageName) {
    Sequence known = sequences.get(packageName);
    return known == null ? "" : known.from;
  }

  Counters leaving(String packageName, String version) {
    Sequence known = sequences.get(packageName);
    return known == null
        ? with(packageName, new Sequence(0, 0, version))
        : with(packageName, new Sequence(known.now, known.before, version));
  }

  Counters brought(String packageName, long sequence) {
    long now = sequence(packageName);
    return now == sequence
        ? this
        : with(packageName, new Sequence(sequence, now, from(packageName)));
  }

  Counters takenBack(String packageName, long sequence) {
    Sequence known = sequences.get(packageName);
    return known == null || known.now != sequence
        ? this
        : with(packageName, new Sequence(known.before, known.before, known.from));
  }

  private Counters with(String packageName, Sequence sequence) {
    var changed = new TreeMap<>(sequences);
    changed.put(packageName, sequence);
    return new Counters(epoch, changed);
  }
}
