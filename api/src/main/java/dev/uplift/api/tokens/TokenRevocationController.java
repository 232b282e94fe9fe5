package dev.uplift.api.tokens;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Caller;
import dev.uplift.api.security.RevokedTokens;
import dev.uplift.api.security.Roles;
import dev.uplift.api.security.TokenRules;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.store.token.TokenRevocationRepository;
import dev.uplift.store.token.TokenRevocationRow;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;

/// Revokes bearer tokens before they expire.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/token-revocations")
@Secured(Roles.ADMIN)
final class TokenRevocationController {
  /// Each server has them all in memory.
  private static final long MAX_PER_TENANT = 10_000;

  /// Covers leeway and clocks that differ.
  private static final Duration MARGIN = Duration.ofDays(1);

  private final TokenRevocationRepository revocations;
  private final RevokedTokens revokedTokens;
  private final TokenRules rules;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;
  private final InstantSource clock;

  TokenRevocationController(
      TokenRevocationRepository revocations,
      RevokedTokens revokedTokens,
      TokenRules rules,
      AuditedTransaction transaction,
      KnownTenants tenants,
      InstantSource clock) {
    this.revocations = revocations;
    this.revokedTokens = revokedTokens;
    this.rules = rules;
    this.transaction = transaction;
    this.tenants = tenants;
    this.clock = clock;
  }

  /// Lists the revoked tokens of a tenant.
  ///
  /// Newest first, with those of every tenant. A revocation is forgotten when its tokens have expired.
  @Get
  @QueryParameters({"cursor", "limit"})
  PageResponse<TokenRevocationView> listTokenRevocations(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    return PageResponse.of(
        revocations.list(requestContext.tenant(), requestContext.pageRequest()), TokenRevocationView::of);
  }

  /// Revokes a token, or the tokens of a subject.
  ///
  /// Tokens of this tenant; with a token of all tenants (`*`), those of every tenant. Effective on every server within
  /// three seconds, for open event streams too. Cannot be undone: issue new tokens.
  @Post
  @ResponseStatuses(409)
  HttpResponse<TokenRevocationView> revokeTokens(RequestContext requestContext, @Body RevokeTokensRequest request) {
    TokenRevocationRow row = transaction.run(requestContext, () -> revoke(requestContext, request));
    if (!requestContext.isValidateOnly()) {
      revokedTokens.refresh();
    }
    return HttpResponse.ok(TokenRevocationView.of(row));
  }

  private TokenRevocationRow revoke(RequestContext requestContext, RevokeTokensRequest request) {
    Caller caller = requestContext.caller();
    Instant now = clock.instant();
    revocations.deleteRevokedBefore(now.minus(rules.maxLifetime()).minus(MARGIN));
    if (revocations.count(caller.tenant()) >= MAX_PER_TENANT) {
      throw ProblemException.conflict(
          "there are %,d revocations; replace the secret that signs tokens".formatted(MAX_PER_TENANT));
    }
    String reason = Objects.requireNonNullElse(request.reason(), "");
    String tokenId = request.tokenId();
    if (tokenId != null) {
      transaction.recordAudit(requestContext, "token.revoke", "token/" + tokenId, reason);
      return revocations.revokeToken(caller.tenant(), tokenId, reason, caller.name());
    }
    String subject = Objects.requireNonNull(request.subject());
    Instant issuedBefore = Objects.requireNonNullElse(request.issuedBefore(), now);
    transaction.recordAudit(
        requestContext, "token.revoke", "subject/" + subject, "issued before " + issuedBefore + ": " + reason);
    return revocations.revokeSubject(caller.tenant(), subject, issuedBefore, reason, caller.name());
  }
}
