package dev.uplift.api.health;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;

/// Figures for Prometheus. They name no tenant, so they need no token.
@Controller("/metrics")
@Secured(SecurityRule.IS_ANONYMOUS)
final class MetricsController {
  private static final String FORMAT = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry meters;

  MetricsController(PrometheusMeterRegistry meters) {
    this.meters = meters;
  }

  @Get
  @Produces(FORMAT)
  String metrics() {
    return meters.scrape();
  }
}
