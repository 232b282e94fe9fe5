package dev.uplift.api.enrolment;

import dev.uplift.api.json.JsonBody;
import dev.uplift.api.json.JsonField;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.LabelRules;
import dev.uplift.api.request.RequestContext;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.device.SaveResult;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A host that is to enrol, and its device.
///
/// @param labels and `zone` of the device, if it is created by this request
record HostEnrolmentRequest(
    JsonField<DeviceId> device,
    JsonField<HostId> host,
    JsonField<Map<String, String>> labels,
    JsonField<ZoneId> zone) {
  private static final int MAX_LABELS = 64;

  static HostEnrolmentRequest read(RequestContext requestContext, JsonBody in) {
    return new HostEnrolmentRequest(
        in.required(
            "device", ValueReaders.TEXT.then(name -> new DeviceId(requestContext.tenant(), name))),
        in.required("host", ValueReaders.TEXT.then(HostId::new)),
        in.optional(
            "labels",
            ValueReaders.map(LabelRules.VALUE_READER, MAX_LABELS)
                .then(all -> {
                  for (String name : all.keySet()) {
                    LabelRules.requireValidName(name);
                  }
                  return all;
                })),
        in.optional("zone", ValueReaders.ZONE));
  }

  DeviceId deviceId() {
    return device.get();
  }

  HostId hostId() {
    return host.get();
  }

  /// Creates the device if it does not exist, and adds the host to it if it is on none.
  ///
  /// @param pointer to this host in the body
  HostEnrolmentRequest ensureOnDevice(DeviceRepository deviceRepository, String pointer) {
    Optional<DeviceRow> found = deviceRepository.find(deviceId());
    if (found.filter(row -> row.hosts().contains(hostId())).isPresent()) {
      return this;
    }
    SaveResult saveResult =
        found.isPresent()
            ? deviceRepository.patch(deviceId(), Precondition.present(), this::withHost)
            : deviceRepository.put(newDevice(), Precondition.absent());
    return switch (saveResult) {
      case SaveResult.Created _, SaveResult.Updated _, SaveResult.Unchanged _ -> this;
      case SaveResult.HostsTaken taken ->
          throw ProblemException.conflict(
              List.of(
                  RequestError.atPointer(
                      pointer + "/host",
                      "%s is on the device %s"
                          .formatted(hostId(), taken.owners().values().iterator().next().name()))));
      case SaveResult.PreconditionFailed _, SaveResult.NotFound _, SaveResult.Busy _ ->
          throw ProblemException.conflict(
              "%s was changed meanwhile; try again".formatted(deviceId().name()));
    };
  }

  private DeviceSpec newDevice() {
    return new DeviceSpec(
        deviceId(), List.of(hostId()), labels.orElse(Map.of()), zone.orElse(ZoneId.of("UTC")));
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
