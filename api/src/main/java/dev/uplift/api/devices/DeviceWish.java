package dev.uplift.api.devices;

import dev.uplift.activities.window.WindowTexts;
import dev.uplift.api.call.Labels;
import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shape;
import dev.uplift.api.json.Shapes;
import dev.uplift.api.json.Wrong;
import dev.uplift.api.windows.WindowShapes;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.window.Window;
import dev.uplift.store.DeviceSpec;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/// What a client wants a device to be: all of it (put), or a part (patch).
final class DeviceWish {
  private static final int MOST_HOSTS = 64;
  private static final int MOST_LABELS = 64;
  private static final ZoneId USUAL_ZONE = ZoneId.of("UTC");

  private static final Shape<List<HostId>> HOSTS =
      Shapes.list(Shapes.TEXT.then(HostId::new), 1, MOST_HOSTS).then(DeviceWish::each);

  private DeviceWish() {}

  /// The whole device.
  static DeviceSpec all(DeviceId id, Body in) {
    Field<List<HostId>> hosts = in.required("hosts", HOSTS);
    Field<Map<String, String>> labels = in.optional("labels", labels(Labels.VALUE));
    Field<ZoneId> zone = in.optional("zone", Shapes.ZONE);
    Field<List<Window>> windows = in.optional("windows", WindowShapes.ANY);
    in.done();
    return new DeviceSpec(
        id,
        hosts.get(),
        labels.or(Map.of()),
        zone.or(USUAL_ZONE),
        WindowTexts.write(windows.or(List.of())));
  }

  /// What a merge patch (RFC 7396) makes of a device. `null` takes a label away, or all of them, or
  /// all windows, or the zone, which then is the usual one.
  static UnaryOperator<DeviceSpec> part(Body in) {
    Field<List<HostId>> hosts = in.optional("hosts", HOSTS);
    Field<Map<String, Optional<String>>> labels =
        in.removable("labels", labels(DeviceWish::orNull));
    Field<ZoneId> zone = in.removable("zone", Shapes.ZONE);
    Field<List<Window>> windows = in.removable("windows", WindowShapes.ANY);
    in.done();
    return old ->
        new DeviceSpec(
            old.id(),
            hosts.or(old.hosts()),
            labels.isThere() ? merged(old.labels(), labels.find()) : old.labels(),
            zone.isThere() ? zone.or(USUAL_ZONE) : old.zone(),
            windows.isThere() ? WindowTexts.write(windows.or(List.of())) : old.windows());
  }

  private static Optional<String> orNull(JsonNode json) throws Wrong {
    return json.isNull() ? Optional.empty() : Optional.of(Labels.VALUE.read(json));
  }

  private static Map<String, String> merged(
      Map<String, String> old, Optional<Map<String, Optional<String>>> patch) {
    Map<String, String> merged = new TreeMap<>();
    patch.ifPresent(changes -> {
      merged.putAll(old);
      changes.forEach((name, content) ->
          content.ifPresentOrElse(text -> merged.put(name, text), () -> merged.remove(name)));
    });
    return merged;
  }

  private static <T> Shape<Map<String, T>> labels(Shape<T> content) {
    return Shapes.map(content, MOST_LABELS)
        .then(labels -> {
          for (String name : labels.keySet()) {
            Labels.check(name);
          }
          return labels;
        });
  }

  private static List<HostId> each(List<HostId> hosts) throws Wrong {
    Set<HostId> seen = new HashSet<>();
    for (HostId host : hosts) {
      if (!seen.add(host)) {
        throw Wrong.because("expected each host once, found %s twice".formatted(host));
      }
    }
    return hosts;
  }
}
