package dev.uplift.api.enrolment;

import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.RequestBody;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.LabelRules;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.NameRule;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.device.SaveResult;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Hosts that may join.
///
/// @param validForSeconds how long their tokens are valid
@Introspected
record CreateTokensRequest(
    @Bindable(defaultValue = "3600") @Min(1) @Max(MAX_VALIDITY_SECONDS) int validForSeconds,
    @Size(min = 1, max = 1000) List<InvitedHost> hosts)
    implements RequestBody {
  private static final int MAX_VALIDITY_SECONDS = 604_800;

  /// How long the token of one host is valid.
  ///
  /// @param validForSeconds how long the token is valid
  @Introspected
  record CreateTokenRequest(@Bindable(defaultValue = "3600") @Min(1) @Max(MAX_VALIDITY_SECONDS) int validForSeconds)
      implements RequestBody {
    static final CreateTokenRequest EMPTY = new CreateTokenRequest(3600);
  }

  /// A host that may join, and its device.
  ///
  /// @param labels of the device, if it is created now
  /// @param zone of the device, if it is created now
  @Introspected
  record InvitedHost(
      String device,
      HostId host,
      @Bindable(defaultValue = "{}") Map<String, String> labels,
      @Bindable(defaultValue = "UTC") ZoneId zone)
      implements RequestBody {
    @Override
    public void check(BodyErrors errors, Instant now) {
      errors.check("/device", device, NameRule.DEVICE::requireValid);
      LabelRules.check(errors, labels);
    }

    DeviceId device(String tenant) {
      return new DeviceId(tenant, device);
    }

    /// Creates the device unless it exists, and adds the host to it unless it is on one.
    ///
    /// @param pointer of this object in the body
    void ensureOnDevice(DeviceRepository devices, DeviceId id, String pointer) {
      Optional<DeviceRow> found = devices.find(id);
      if (found.filter(row -> row.hosts().contains(host)).isPresent()) {
        return;
      }
      SaveResult saveResult =
          found.isPresent()
              ? devices.patch(id, Precondition.present(), this::withHost)
              : devices.put(new DeviceSpec(id, List.of(host), labels, zone), Precondition.absent());
      switch (saveResult) {
        case SaveResult.Created _, SaveResult.Updated _, SaveResult.Unchanged _ -> {}
        case SaveResult.HostsTaken taken ->
            throw ProblemException.conflict(
                List.of(
                    RequestError.atPointer(
                        pointer + "/host",
                        "%s is on the device %s".formatted(host, taken.owners().values().iterator().next().name()))));
        case SaveResult.PreconditionFailed _, SaveResult.NotFound _, SaveResult.Busy _ ->
            throw ProblemException.conflict("%s was changed meanwhile; try again".formatted(device));
      }
    }

    private DeviceSpec withHost(DeviceSpec spec) {
      return new DeviceSpec(
          spec.id(),
          Stream.concat(spec.hosts().stream(), Stream.of(host)).toList(),
          spec.labels(),
          spec.zone(),
          spec.windows());
    }
  }
}
