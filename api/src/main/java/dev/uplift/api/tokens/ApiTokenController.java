package dev.uplift.api.tokens;

import dev.uplift.api.json.ValueReaders;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.ApiTokens;
import dev.uplift.api.security.Roles;
import dev.uplift.api.security.TokenRules;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.store.token.ApiTokenRepository;
import dev.uplift.store.token.ApiTokenRow;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// Creates tokens for scripts. They are revoked like all others.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/api-tokens")
@Secured(Roles.ADMIN)
final class ApiTokenController {
  /// Each server has them all in memory.
  private static final long MAX_PER_TENANT = 1_000;

  private final ApiTokenRepository tokens;
  private final ApiTokens apiTokens;
  private final TokenRules rules;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;
  private final InstantSource clock;

  ApiTokenController(
      ApiTokenRepository tokens,
      ApiTokens apiTokens,
      TokenRules rules,
      AuditedTransaction transaction,
      KnownTenants tenants,
      InstantSource clock) {
    this.tokens = tokens;
    this.apiTokens = apiTokens;
    this.rules = rules;
    this.transaction = transaction;
    this.tenants = tenants;
    this.clock = clock;
  }

  /// Lists the tokens of scripts.
  ///
  /// Newest first, revoked ones included. Those that have expired are forgotten when the next one is created. The
  /// tokens themselves are not shown.
  @Get
  @QueryParameters({"cursor", "limit"})
  PageResponse<ApiTokenView> listApiTokens(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    return PageResponse.of(
        tokens.list(requestContext.tenant(), requestContext.pageRequest()),
        row -> ApiTokenView.of(row, apiTokens.isRevoked(row)));
  }

  /// Creates a token for a script.
  ///
  /// It is for this tenant, and acts for you: what you have begun, it cannot approve. It is shown this once. Valid at
  /// once on this server, within three seconds on others. To end it, revoke its id. A script cannot create another
  /// token.
  @Post
  @ResponseStatuses({201, 409, 422})
  HttpResponse<CreatedApiTokenView> createApiToken(RequestContext requestContext, @Body CreateApiTokenRequest request) {
    tenants.requireExists(requestContext.tenant());
    if (requestContext.caller().isScript()) {
      throw ProblemException.of(HttpStatus.FORBIDDEN, "the token of a script creates no other; log in as a person");
    }
    Duration valid = Duration.ofSeconds(request.validForSeconds());
    if (valid.compareTo(rules.maxLifetime()) > 0) {
      throw ProblemException.unprocessable(
          List.of(RequestError.atPointer("/valid_for_seconds", "expected at most " + rules.maxLifetime().toSeconds())));
    }
    Instant expiresAt = clock.instant().plus(valid).truncatedTo(ChronoUnit.SECONDS);
    ApiTokens.NewToken token = ApiTokens.generate();
    ApiTokenRow row = transaction.run(requestContext, () -> create(requestContext, request, token, expiresAt));
    if (requestContext.isValidateOnly()) {
      return HttpResponse.created(CreatedApiTokenView.of(row, Optional.empty()));
    }
    apiTokens.refresh();
    return HttpResponse.created(CreatedApiTokenView.of(row, Optional.of(token.token())));
  }

  private ApiTokenRow create(
      RequestContext requestContext, CreateApiTokenRequest request, ApiTokens.NewToken token, Instant expiresAt) {
    String tenant = requestContext.tenant();
    tokens.deleteExpired(tenant);
    if (tokens.count(tenant) >= MAX_PER_TENANT) {
      throw ProblemException.conflict("there are %,d tokens; let some expire".formatted(MAX_PER_TENANT));
    }
    String role = ValueReaders.enumWord(request.role());
    transaction.recordAudit(
        requestContext,
        "token.create",
        "token/" + token.id(),
        "%s, %s, until %s".formatted(request.name(), role, expiresAt));
    return tokens.create(
        tenant, token.id(), request.name(), role, token.hash(), requestContext.caller().name(), expiresAt);
  }
}
