package dev.uplift.api.diagnosis;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.services.diagnosis.DiagnosisCheck;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Runs all checks.
@RequiresApiRole
@Controller("/v1/diagnosis")
@Secured(Roles.ADMIN)
final class DiagnosisController {
  private final List<DiagnosisCheck> checks;
  private final InstantSource clock;

  DiagnosisController(List<DiagnosisCheck> checks, InstantSource clock) {
    this.checks = checks;
    this.clock = clock;
  }

  /// Checks the installation.
  ///
  /// As this server sees it now: database, NATS with its streams, Temporal with its task queues, keys, certificates,
  /// free space, workflows that do not continue, and whether this server has caught up since its start. Each finding
  /// that needs something says what to do. It is answered with 200 whatever is found. Needs a token of all tenants
  /// (`*`).
  @Get
  DiagnosisView diagnose(RequestContext requestContext) {
    if (!requestContext.caller().hasAllTenants()) {
      throw ProblemException.of(HttpStatus.FORBIDDEN, "needs an admin of all tenants (a token with the tenant *)");
    }
    return DiagnosisView.of(clock.instant(), runAll());
  }

  /// Side by side, because one that meets an outage takes seconds.
  private List<DiagnosisFinding> runAll() {
    List<CompletableFuture<List<DiagnosisFinding>>> running =
        checks.stream()
            .map(check -> CompletableFuture.supplyAsync(check::diagnose, command -> Thread.ofVirtual().start(command)))
            .toList();
    return running.stream().flatMap(each -> each.join().stream()).toList();
  }
}
