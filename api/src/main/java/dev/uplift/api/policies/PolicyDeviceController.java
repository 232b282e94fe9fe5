package dev.uplift.api.policies;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.services.policy.PolicyEvaluation;
import dev.uplift.services.policy.PolicyEvaluator;
import dev.uplift.store.Page;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.policy.PolicyRow;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Shows which devices a policy applies to, and which policies apply to a device.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}")
@Secured(Roles.VIEWER)
final class PolicyDeviceController {
  private final PolicyService service;
  private final PolicyEvaluator evaluator;
  private final DeviceRepository devices;

  PolicyDeviceController(PolicyService service, PolicyEvaluator evaluator, DeviceRepository devices) {
    this.service = service;
    this.evaluator = evaluator;
    this.devices = devices;
  }

  /// Lists the devices that a policy applies to.
  ///
  /// Each with its state, by name; of a disabled policy, as if it were enabled. A page may have fewer items than asked
  /// for, even none: there are more as long as there is a `next_cursor`.
  @Get("/policies/{policy}/applies-to")
  @QueryParameters({"cursor", "limit"})
  PageResponse<PolicyDeviceView> listPolicyDevices(RequestContext requestContext, PolicyId id) {
    PolicyRow row = service.find(id);
    Page<DeviceRow> page = devices.list(id.tenant(), Map.of(), requestContext.pageRequest());
    List<PolicyDeviceView> found = new ArrayList<>();
    PolicyEvaluation _ = evaluator.evaluatePage(row, page.rows(), status -> found.add(PolicyDeviceView.of(status)));
    return new PageResponse<>(found, page.next());
  }

  /// Lists the policies that apply to a device.
  ///
  /// The enabled ones, by name, each with what it does about the device.
  @Get("/devices/{device}/policies")
  PageResponse<DevicePolicyView> listDevicePolicies(RequestContext requestContext, DeviceId id) {
    if (devices.find(id).isEmpty()) {
      throw ProblemException.notFound("there is no device %s in %s".formatted(id.name(), id.tenant()));
    }
    return new PageResponse<>(service.ofDevice(id.tenant(), id.name()), Optional.empty());
  }
}
