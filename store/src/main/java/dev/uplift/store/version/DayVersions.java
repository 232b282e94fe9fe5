package dev.uplift.store.version;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How many hosts ran which version of a package at the end of a day, UTC.
///
/// @param at the end of the day; of the last day, when it was counted
/// @param hosts by version, in the order of versions as texts; no version without a host
public record DayVersions(Instant at, SortedMap<String, Long> hosts) {
  public DayVersions {
    hosts = Collections.unmodifiableSortedMap(new TreeMap<>(hosts));
  }

  /// Counts back from what runs now, day by day. Returns the days in their order; the last one is today.
  ///
  /// @param days how many, from 1
  /// @param changes of these days at least, in any order
  static List<DayVersions> countBack(
      Instant now, int days, List<CurrentVersionCount> current, List<VersionChangeCount> changes) {
    SortedMap<String, Long> hosts = new TreeMap<>();
    current.forEach(count -> hosts.put(count.version(), count.hosts()));
    Map<Long, List<VersionChangeCount>> byDay = new TreeMap<>();
    changes.forEach(change -> byDay.computeIfAbsent(change.dayNumber(), _ -> new ArrayList<>()).add(change));
    List<DayVersions> counted = new ArrayList<>();
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    for (LocalDate day = today; day.isAfter(today.minusDays(days)); day = day.minusDays(1)) {
      Instant end = day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
      counted.add(new DayVersions(end.isAfter(now) ? now : end, positive(hosts)));
      byDay.getOrDefault(day.toEpochDay(), List.of()).forEach(change -> undo(change, hosts));
    }
    return counted.reversed();
  }

  private static void undo(VersionChangeCount change, Map<String, Long> hosts) {
    add(hosts, change.version(), -change.hosts());
    add(hosts, change.previous(), change.hosts());
  }

  private static void add(Map<String, Long> hosts, @Nullable String version, long count) {
    if (version != null) {
      hosts.merge(version, count, Long::sum);
    }
  }

  /// Returns the counts above zero. One that is below belongs to a host that changed while this was counted.
  private static SortedMap<String, Long> positive(SortedMap<String, Long> hosts) {
    SortedMap<String, Long> positive = new TreeMap<>(hosts);
    positive.values().removeIf(count -> count <= 0);
    return positive;
  }
}
