package dev.uplift.api.devices;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.RequestContext;
import dev.uplift.fleet.DeviceId;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.SaveResult;
import java.util.List;
import java.util.Optional;

/// Problem documents about devices.
final class DeviceProblems {
  private DeviceProblems() {}

  static ProblemException notFound(DeviceId id) {
    return ProblemException.notFound("there is no device %s in %s".formatted(id.name(), id.tenant()));
  }

  static ProblemException preconditionFailed(RequestContext requestContext, Optional<DeviceRow> found) {
    return Etag.preconditionFailed(Etag.precondition(requestContext), "the device", found.map(DeviceRow::version));
  }

  /// 409: an upgrade of the device runs.
  ///
  /// @param not the refused change, as a sentence
  static ProblemException busy(String not, String upgrade) {
    return ProblemException.conflict("%s while its upgrade %s runs; await its end or abort it".formatted(not, upgrade));
  }

  static ProblemException hostsTaken(SaveResult.HostsTaken taken) {
    List<RequestError> errors =
        taken.owners().entrySet().stream()
            .map(host ->
                RequestError.atPointer(
                    "/hosts", "%s is on the device %s".formatted(host.getKey(), host.getValue().name())))
            .toList();
    return ProblemException.conflict(errors);
  }
}
