package dev.uplift.api.devices;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.Patch;
import dev.uplift.api.json.RequestBody;
import dev.uplift.api.request.LabelRules;
import dev.uplift.api.windows.WindowView;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.device.DeviceSpec;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A whole device.
///
/// @param hosts in the order in which they are upgraded
/// @param json as it was sent, to be recorded in the audit
@Introspected
record PutDeviceRequest(
    @Size(min = 1, max = 64) List<HostId> hosts,
    @Bindable(defaultValue = "{}") Map<String, String> labels,
    @Bindable(defaultValue = "UTC") ZoneId zone,
    @Bindable(defaultValue = "[]") @Size(max = Window.MAX_WINDOWS) List<WindowView> windows,
    @JsonIgnore ObjectNode json)
    implements RequestBody {
  private static final ZoneId DEFAULT_ZONE = ZoneId.of("UTC");

  @Override
  public void check(BodyErrors errors, Instant now) {
    checkDistinct(errors, hosts);
    LabelRules.check(errors, labels);
  }

  private static void checkDistinct(BodyErrors errors, @Nullable List<HostId> hosts) {
    Set<HostId> seen = new HashSet<>();
    for (HostId host : hosts == null ? List.<HostId>of() : hosts) {
      if (!seen.add(host)) {
        errors.add("/hosts", "expected each host once, found %s twice".formatted(host));
      }
    }
  }

  DeviceSpec spec(DeviceId id) {
    return new DeviceSpec(id, hosts, labels, zone, WindowJson.write(WindowView.windows(windows)));
  }

  /// Changes of a device, as a merge patch (RFC 7396).
  ///
  /// @param hosts in the order in which they are upgraded; each once
  /// @param labels `null` removes a label, or all of them
  @Introspected
  record PatchDeviceRequest(
      @Nullable @Size(min = 1, max = 64) List<HostId> hosts,
      Patch<Map<String, Optional<String>>> labels,
      Patch<ZoneId> zone,
      Patch<@Size(max = Window.MAX_WINDOWS) List<WindowView>> windows,
      @JsonIgnore ObjectNode json)
      implements RequestBody {
    @Override
    public void check(BodyErrors errors, Instant now) {
      checkDistinct(errors, hosts);
      Map<String, String> texts = new TreeMap<>();
      labels.value().ifPresent(changes -> changes.forEach((name, text) -> texts.put(name, text.orElse(""))));
      LabelRules.check(errors, texts);
    }

    DeviceSpec applyTo(DeviceSpec old) {
      return new DeviceSpec(
          old.id(),
          hosts == null ? old.hosts() : hosts,
          labels.isPresent() ? merge(old.labels()) : old.labels(),
          zone.applyTo(old.zone(), DEFAULT_ZONE),
          windows.isPresent()
              ? WindowJson.write(WindowView.windows(windows.value().orElse(List.of())))
              : old.windows());
    }

    private Map<String, String> merge(Map<String, String> old) {
      Map<String, String> merged = new TreeMap<>();
      labels
          .value()
          .ifPresent(changes -> {
            merged.putAll(old);
            changes.forEach(
                (name, text) -> text.ifPresentOrElse(value -> merged.put(name, value), () -> merged.remove(name)));
          });
      return merged;
    }
  }
}
