package dev.uplift.api.health;

import dev.uplift.activities.Wiring;
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
  private final Wiring wiring;

  HealthController(Database database, Wiring wiring) {
    this.database = database;
    this.wiring = wiring;
  }

  /// Each is `up` or `down`; absent what was not looked at.
  @Serdeable
  record Health(
      String status, Optional<String> database, Optional<String> temporal, Optional<String> nats) {}

  @Get
  HttpResponse<Health> health() {
    boolean tables = database.answers();
    boolean temporal = wiring.temporal().answers();
    boolean nats = wiring.nats().state().up();
    boolean isWell = tables && temporal && nats;
    return answer(isWell, new Health(word(isWell), found(tables), found(temporal), found(nats)));
  }

  @Get("/readiness")
  HttpResponse<Health> readiness() {
    boolean tables = database.answers();
    return answer(
        tables, new Health(word(tables), found(tables), Optional.empty(), Optional.empty()));
  }

  @Get("/liveness")
  HttpResponse<Health> liveness() {
    return answer(
        true, new Health(word(true), Optional.empty(), Optional.empty(), Optional.empty()));
  }

  private static HttpResponse<Health> answer(boolean isWell, Health health) {
    return HttpResponse.<Health>status(isWell ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
        .body(health);
  }

  private static Optional<String> found(boolean up) {
    return Optional.of(word(up));
  }

  private static String word(boolean up) {
    return up ? "up" : "down";
  }
}
