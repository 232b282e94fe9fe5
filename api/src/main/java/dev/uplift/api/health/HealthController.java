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

/// 200 where it is well, else 503, with the same words: for a start that is awaited (`/health`, all
/// that this server needs), for a load balancer (`/health/readiness`, what requests need), and for
/// whoever restarts processes (`/health/liveness`, this process alone).
@Controller("/health")
@Secured(SecurityRule.IS_ANONYMOUS)
final class HealthController {
  private final Database database;
  private final Wiring wiring;

  HealthController(Database database, Wiring wiring) {
    this.database = database;
    this.wiring = wiring;
  }

  /// Each is `up` or `down`.
  @Serdeable
  record Health(String status, String database, String temporal, String nats) {}

  @Get
  HttpResponse<Health> health() {
    Health health = look();
    return answer(health, health.status().equals("up"));
  }

  @Get("/readiness")
  HttpResponse<Health> readiness() {
    Health health = look();
    return answer(health, health.database().equals("up"));
  }

  @Get("/liveness")
  HttpResponse<Health> liveness() {
    return answer(look(), true);
  }

  private Health look() {
    boolean tables = database.answers();
    boolean temporal = wiring.temporal().answers();
    boolean nats = wiring.nats().state().up();
    return new Health(word(tables && temporal && nats), word(tables), word(temporal), word(nats));
  }

  private static HttpResponse<Health> answer(Health health, boolean isWell) {
    return HttpResponse.<Health>status(isWell ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
        .body(health);
  }

  private static String word(boolean up) {
    return up ? "up" : "down";
  }
}
