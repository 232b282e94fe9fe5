package dev.uplift.api.health;

import dev.uplift.api.settings.RequiresApiRole;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import io.swagger.v3.oas.annotations.Hidden;
import java.net.URI;

/// Redirects the server's bare address to the documentation, for browsers.
@RequiresApiRole
@Controller("/")
@Secured(SecurityRule.IS_ANONYMOUS)
@Hidden
final class DocumentationRedirectController {
  private static final URI DOCUMENTATION = URI.create("/swagger-ui");

  @Get
  HttpResponse<?> redirect() {
    return HttpResponse.temporaryRedirect(DOCUMENTATION);
  }
}
