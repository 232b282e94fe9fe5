package dev.uplift.api.health;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import java.util.Map;

/// 200 once the process is ready.
@Controller("/health")
@Secured(SecurityRule.IS_ANONYMOUS)
final class HealthController {
  @Get
  Map<String, String> health() {
    return Map.of("status", "up");
  }
}
