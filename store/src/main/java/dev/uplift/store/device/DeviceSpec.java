package dev.uplift.store.device;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The part of a device that operators set.
///
/// @param hosts in the order in which they are upgraded; each once
/// @param labels in the order of their names
/// @param windows JSON, its maintenance windows; empty: none
public record DeviceSpec(DeviceId id, List<HostId> hosts, Map<String, String> labels, ZoneId zone, String windows) {
  /// The longest text that an index of both databases takes.
  public static final int MAX_LABEL_LENGTH = 255;

  /// Of a device without maintenance windows of its own.
  public DeviceSpec(DeviceId id, List<HostId> hosts, Map<String, String> labels, ZoneId zone) {
    this(id, hosts, labels, zone, "");
  }

  public DeviceSpec {
    hosts = List.copyOf(hosts);
    labels = Collections.unmodifiableMap(new TreeMap<>(labels));
    for (var label : labels.entrySet()) {
      if (label.getKey().length() > MAX_LABEL_LENGTH || label.getValue().length() > MAX_LABEL_LENGTH) {
        throw new IllegalArgumentException(
            "a label has at most " + MAX_LABEL_LENGTH + " characters: " + label.getKey());
      }
    }
    if (hosts.stream().distinct().count() != hosts.size()) {
      throw new IllegalArgumentException("a host is listed twice: " + hosts);
    }
  }
}
