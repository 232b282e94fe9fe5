package dev.uplift.api.devices;

import dev.uplift.api.json.InvalidValue;
import dev.uplift.api.json.JsonBody;
import dev.uplift.api.json.JsonField;
import dev.uplift.api.json.ValueReader;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.api.request.LabelRules;
import dev.uplift.api.windows.WindowReaders;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.device.DeviceSpec;
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
final class DeviceSpecReader {
  private static final int MAX_HOSTS = 64;
  private static final int MAX_LABELS = 64;
  private static final ZoneId DEFAULT_ZONE = ZoneId.of("UTC");

  private static final ValueReader<List<HostId>> HOSTS =
      ValueReaders.list(ValueReaders.TEXT.then(HostId::new), 1, MAX_HOSTS)
          .then(DeviceSpecReader::requireDistinct);

  private DeviceSpecReader() {}

  /// The whole device.
  static DeviceSpec readPut(DeviceId id, JsonBody in) {
    JsonField<List<HostId>> hosts = in.required("hosts", HOSTS);
    JsonField<Map<String, String>> labels = in.optional("labels", labels(LabelRules.VALUE_READER));
    JsonField<ZoneId> zone = in.optional("zone", ValueReaders.ZONE);
    JsonField<List<Window>> windows = in.optional("windows", WindowReaders.ANY);
    in.throwIfInvalid();
    return new DeviceSpec(
        id,
        hosts.get(),
        labels.orElse(Map.of()),
        zone.orElse(DEFAULT_ZONE),
        WindowJson.write(windows.orElse(List.of())));
  }

  /// What a merge patch (RFC 7396) makes of a device. `null` takes a label away, or all of them, or
  /// all windows, or the zone, which then is the usual one.
  static UnaryOperator<DeviceSpec> readPatch(JsonBody in) {
    JsonField<List<HostId>> hosts = in.optional("hosts", HOSTS);
    JsonField<Map<String, Optional<String>>> labels =
        in.nullable("labels", labels(DeviceSpecReader::orNull));
    JsonField<ZoneId> zone = in.nullable("zone", ValueReaders.ZONE);
    JsonField<List<Window>> windows = in.nullable("windows", WindowReaders.ANY);
    in.throwIfInvalid();
    return old ->
        new DeviceSpec(
            old.id(),
            hosts.orElse(old.hosts()),
            labels.isPresent() ? merge(old.labels(), labels.asOptional()) : old.labels(),
            zone.isPresent() ? zone.orElse(DEFAULT_ZONE) : old.zone(),
            windows.isPresent() ? WindowJson.write(windows.orElse(List.of())) : old.windows());
  }

  private static Optional<String> orNull(JsonNode json) throws InvalidValue {
    return json.isNull() ? Optional.empty() : Optional.of(LabelRules.VALUE_READER.read(json));
  }

  private static Map<String, String> merge(
      Map<String, String> old, Optional<Map<String, Optional<String>>> patch) {
    Map<String, String> merged = new TreeMap<>();
    patch.ifPresent(changes -> {
      merged.putAll(old);
      changes.forEach((name, content) ->
          content.ifPresentOrElse(text -> merged.put(name, text), () -> merged.remove(name)));
    });
    return merged;
  }

  private static <T> ValueReader<Map<String, T>> labels(ValueReader<T> content) {
    return ValueReaders.map(content, MAX_LABELS)
        .then(labels -> {
          for (String name : labels.keySet()) {
            LabelRules.requireValidName(name);
          }
          return labels;
        });
  }

  private static List<HostId> requireDistinct(List<HostId> hosts) throws InvalidValue {
    Set<HostId> seen = new HashSet<>();
    for (HostId host : hosts) {
      if (!seen.add(host)) {
        throw InvalidValue.of("expected each host once, found %s twice".formatted(host));
      }
    }
    return hosts;
  }
}
