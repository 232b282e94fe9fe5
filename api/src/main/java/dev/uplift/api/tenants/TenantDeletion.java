package dev.uplift.api.tenants;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.DeletedTenants;
import dev.uplift.services.enrolment.EnrolmentService;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.store.enrolment.EnrolmentRepository;
import dev.uplift.store.tenant.TenantContents;
import dev.uplift.store.tenant.TenantRemovalRepository;
import dev.uplift.store.tenant.TenantRepository;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes tenants. What belongs to them is removed by [dev.uplift.services.tenant.TenantRemover] and, of artifacts, by
/// [dev.uplift.api.artifacts.ArtifactRemover].
@Singleton
final class TenantDeletion {
  private static final Logger LOG = LoggerFactory.getLogger(TenantDeletion.class);

  /// The list of revoked keys that NATS takes has space for 80,000.
  private static final int MAX_KEYS = 50_000;

  private final TenantRepository tenants;
  private final TenantRemovalRepository removal;
  private final EnrolmentRepository enrolments;
  private final Optional<EnrolmentService> enrolmentService;
  private final DeletedTenants deletedTenants;

  TenantDeletion(
      TenantRepository tenants,
      TenantRemovalRepository removal,
      EnrolmentRepository enrolments,
      Optional<EnrolmentService> enrolmentService,
      DeletedTenants deletedTenants) {
    this.tenants = tenants;
    this.removal = removal;
    this.enrolments = enrolments;
    this.enrolmentService = enrolmentService;
    this.deletedTenants = deletedTenants;
  }

  /// Deletes the tenant and revokes its hosts, effective with the commit of the transaction. Refused while something of
  /// it runs.
  TenantContents delete(RequestContext requestContext) {
    String tenant = requestContext.tenant();
    removal
        .findOpenRollout(tenant)
        .ifPresent(rollout -> {
          throw ProblemException.conflict(
              "%s is not deleted while its rollout %s is open; await its end or abort it".formatted(tenant, rollout));
        });
    removal
        .findRunningUpgrade(tenant)
        .ifPresent(upgrade -> {
          throw ProblemException.conflict(
              "%s is not deleted while its upgrade %s runs; await its end or abort it".formatted(tenant, upgrade));
        });
    TenantContents contents = removal.countContents(tenant);
    if (contents.credentials() > MAX_KEYS) {
      throw ProblemException.conflict(
          "the hosts of %s have %,d keys, and NATS takes the revocation of %,d at once; delete devices first, some each day"
              .formatted(tenant, contents.credentials(), MAX_KEYS));
    }
    enrolments.revokeAll(tenant, requestContext.caller().name());
    if (!tenants.delete(tenant)) {
      throw KnownTenants.notFound(tenant);
    }
    return contents;
  }

  /// Makes this server refuse requests to the tenant, and ends the connections of its hosts. To be called after the
  /// commit.
  void enforce(String tenant) {
    deletedTenants.refresh();
    try {
      enrolmentService.ifPresent(EnrolmentService::publishRevocations);
    } catch (NatsUnavailable e) {
      LOG.warn("the hosts of {} are disconnected later: {}", tenant, e.getMessage());
    }
  }
}
