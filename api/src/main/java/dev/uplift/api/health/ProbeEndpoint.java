package dev.uplift.api.health;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.core.async.annotation.SingleResult;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.management.endpoint.annotation.Endpoint;
import io.micronaut.management.endpoint.annotation.Read;
import io.micronaut.management.endpoint.annotation.Selector;
import io.micronaut.management.endpoint.health.HealthEndpoint;
import io.micronaut.management.endpoint.health.HealthLevelOfDetail;
import io.micronaut.management.health.aggregator.HealthAggregator;
import io.micronaut.management.health.indicator.HealthCheckType;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Liveness;
import io.micronaut.management.health.indicator.annotation.Readiness;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/// Answers 200 if healthy, else 503: `/health` for all that the server needs, `/health/readiness` for a load balancer,
/// and `/health/liveness` for a supervisor that restarts processes.
///
/// The framework's readiness is everything but liveness. Here it is only the indicators with [Readiness]: without
/// Temporal or NATS the server still answers reads.
@Endpoint(value = HealthEndpoint.NAME, defaultSensitive = false)
@Replaces(HealthEndpoint.class)
final class ProbeEndpoint extends HealthEndpoint {
  private final HealthAggregator<HealthResult> aggregator;
  private final HealthIndicator[] liveness;
  private final HealthIndicator[] readiness;

  ProbeEndpoint(
      HealthAggregator<HealthResult> aggregator,
      HealthIndicator[] all,
      @Liveness HealthIndicator[] liveness,
      BeanContext beans) {
    super(aggregator, all, liveness);
    this.aggregator = aggregator;
    this.liveness = liveness;
    this.readiness =
        beans
            .getBeansOfType(HealthIndicator.class, Qualifiers.byStereotype(Readiness.class))
            .toArray(HealthIndicator[]::new);
  }

  @Override
  @Read
  @SingleResult
  public Publisher<HealthResult> getHealth(@Nullable Principal principal, @Selector HealthCheckType selector) {
    return aggregator.aggregate(selector == HealthCheckType.LIVENESS ? liveness : readiness, levelOfDetail(principal));
  }

  @Override
  protected HealthLevelOfDetail levelOfDetail(@Nullable Principal principal) {
    return HealthLevelOfDetail.STATUS_DESCRIPTION_DETAILS;
  }
}
