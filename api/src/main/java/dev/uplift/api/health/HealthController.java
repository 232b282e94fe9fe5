package dev.uplift.api.health;

import dev.uplift.activities.ActivitiesFactory;
import dev.uplift.store.Database;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Optional;

/// 200 where it is well, else 503: for a start that is awaited (`/health`, all that this server
/// needs), for a load balancer (`/health/readiness`, what requests need), and for whoever restarts
/// processes (`/health/liveness`, this process alone). Each looks at no more than it is for: a
/// database that is away keeps nobody waiting for whom this process lives.
@Controller("/health")
@Secured(SecurityRule.IS_ANONYMOUS)
final class HealthController {
  private final Database database;
  private final ActivitiesFactory wiring;

  HealthController(Database database, ActivitiesFactory wiring) {
    this.database = database;
    this.wiring = wiring;
  }

  /// Each is `up` or `down`; absent what was not looked at.
  @Serdeable
  record Health(
      String status, Optional<String> database, Optional<String> temporal, Optional<String> nats) {}

  @Get
  HttpResponse<Health> health() {
    boolean tables = database.isAvailable();
    boolean temporal = wiring.temporalClients().isReachable();
    boolean nats = wiring.natsConnection().status().connected();
    boolean isWell = tables && temporal && nats;
    return respond(
        isWell,
        new Health(
            upOrDown(isWell),
            dependencyStatus(tables),
            dependencyStatus(temporal),
            dependencyStatus(nats)));
  }

  @Get("/readiness")
  HttpResponse<Health> readiness() {
    boolean tables = database.isAvailable();
    return respond(
        tables,
        new Health(upOrDown(tables), dependencyStatus(tables), Optional.empty(), Optional.empty()));
  }

  @Get("/liveness")
  HttpResponse<Health> liveness() {
    return respond(
        true, new Health(upOrDown(true), Optional.empty(), Optional.empty(), Optional.empty()));
  }

  private static HttpResponse<Health> respond(boolean isWell, Health health) {
    return HttpResponse.<Health>status(isWell ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
        .body(health);
  }

  private static Optional<String> dependencyStatus(boolean up) {
    return Optional.of(upOrDown(up));
  }

  private static String upOrDown(boolean up) {
    return up ? "up" : "down";
  }
}
