package dev.uplift.store.rollout;

import io.micronaut.core.annotation.Introspected;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A text about a device.
@Introspected
record DeviceText(String device, String text) {
  /// By device; the first text of each.
  static Map<String, String> toMap(List<DeviceText> texts) {
    var map = new LinkedHashMap<String, String>();
    texts.forEach(one -> map.putIfAbsent(one.device(), one.text()));
    return map;
  }
}
