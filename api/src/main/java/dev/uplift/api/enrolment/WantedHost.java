package dev.uplift.api.enrolment;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Labels;
import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shapes;
import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.DeviceSpec;
import dev.uplift.store.Devices;
import dev.uplift.store.Expected;
import dev.uplift.store.Saved;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A host that is to join, and the device that it is on.
///
/// @param labels and `zone` of the device, where it is made for this
record WantedHost(
    Field<DeviceId> device,
    Field<HostId> host,
    Field<Map<String, String>> labels,
    Field<ZoneId> zone) {
  private static final int MOST_LABELS = 64;

  static WantedHost read(Call call, Body in) {
    return new WantedHost(
        in.required("device", Shapes.TEXT.then(name -> new DeviceId(call.tenant(), name))),
        in.required("host", Shapes.TEXT.then(HostId::new)),
        in.optional(
            "labels",
            Shapes.map(Labels.VALUE, MOST_LABELS)
                .then(all -> {
                  for (String name : all.keySet()) {
                    Labels.check(name);
                  }
                  return all;
                })),
        in.optional("zone", Shapes.ZONE));
  }

  DeviceId deviceId() {
    return device.get();
  }

  HostId hostId() {
    return host.get();
  }

  /// Makes the device where there is none, and puts the host on it where it is on none.
  ///
  /// @param pointer where it stands in the body
  WantedHost there(Devices devices, String pointer) {
    Optional<DeviceRow> found = devices.find(deviceId());
    if (found.filter(row -> row.hosts().contains(hostId())).isPresent()) {
      return this;
    }
    Saved saved =
        found.isPresent()
            ? devices.patch(deviceId(), Expected.present(), this::withHost)
            : devices.put(made(), Expected.absent());
    return switch (saved) {
      case Saved.Created _, Saved.Changed _, Saved.Unchanged _ -> this;
      case Saved.HostsTaken taken ->
          throw Refusal.conflict(
              List.of(
                  Fault.at(
                      pointer + "/host",
                      "%s is on the device %s"
                          .formatted(hostId(), taken.by().values().iterator().next().name()))));
      case Saved.Stale _, Saved.NotThere _, Saved.Busy _ ->
          throw Refusal.conflict(
              "%s was changed meanwhile; try again".formatted(deviceId().name()));
    };
  }

  private DeviceSpec made() {
    return new DeviceSpec(
        deviceId(), List.of(hostId()), labels.or(Map.of()), zone.or(ZoneId.of("UTC")));
  }

  private DeviceSpec withHost(DeviceSpec spec) {
    return new DeviceSpec(
        spec.id(),
        Stream.concat(spec.hosts().stream(), Stream.of(hostId())).toList(),
        spec.labels(),
        spec.zone(),
        spec.windows());
  }
}
