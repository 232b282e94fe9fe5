package dev.uplift.api.webhooks;

import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.api.webhooks.WebhookService.Saved;
import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.services.webhook.WebhookSecret;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.webhook.WebhookRow;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.util.Optional;

/// Creates, changes, enables, tests and shows webhooks.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/webhooks")
@Secured(Roles.VIEWER)
final class WebhookController {
  private final WebhookService service;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;

  WebhookController(WebhookService service, AuditedTransaction transaction, KnownTenants tenants) {
    this.service = service;
    this.transaction = transaction;
    this.tenants = tenants;
  }

  /// Lists webhooks, by name.
  @Get
  @QueryParameters({"cursor", "limit"})
  PageResponse<WebhookView> listWebhooks(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    return PageResponse.of(
        service.webhooks().list(requestContext.tenant(), requestContext.pageRequest()),
        row -> service.view(row, Optional.empty()));
  }

  /// Shows a webhook, and how far it is.
  @Get("/{webhook}")
  HttpResponse<WebhookView> getWebhook(RequestContext requestContext, WebhookId id) {
    return respond(service.find(id));
  }

  /// Creates a webhook, or replaces it.
  ///
  /// A new one is enabled and begins with the next event. Its `secret` is shown this once. A receiver that failed is
  /// tried now.
  @Put("/{webhook}")
  @Secured(Roles.ADMIN)
  @ResponseStatuses({200, 201, 409, 412, 422})
  HttpResponse<WebhookView> putWebhook(RequestContext requestContext, WebhookId id, @Body PutWebhookRequest request) {
    tenants.requireExists(requestContext.tenant());
    Precondition precondition = Etag.precondition(requestContext);
    service.requireAllowed(request);
    long newest = service.newestEvent(id.tenant());
    Written written =
        transaction.run(
            requestContext,
            () -> {
              Optional<WebhookRow> before = requireVersion(precondition, service.webhooks().lock(id));
              Saved saved = service.put(id, request, before, requestContext.caller().name(), newest);
              if (!before.equals(Optional.of(saved.row()))) {
                transaction.recordAudit(requestContext, "webhook.put", target(id), request.json().toString());
              }
              Optional<WebhookSecret> secret = saved.secret().filter(_ -> !requestContext.isValidateOnly());
              return new Written(saved.row(), service.view(saved.row(), secret), before.isEmpty());
            });
    notifyUnlessValidated(requestContext, written.row());
    MutableHttpResponse<WebhookView> response =
        written.isNew() ? HttpResponse.created(written.view()) : HttpResponse.ok(written.view());
    return response.header(HttpHeaders.ETAG, Etag.of(written.row().version()));
  }

  /// A webhook, and how it is shown. Of a request that is only validated nothing can be read later.
  private record Written(WebhookRow row, WebhookView view, boolean isNew) {}

  /// Deletes a webhook.
  ///
  /// Nothing more is sent.
  @Delete("/{webhook}")
  @Secured(Roles.ADMIN)
  @ResponseStatuses({204, 412})
  HttpResponse<?> deleteWebhook(RequestContext requestContext, WebhookId id) {
    Precondition precondition = Etag.precondition(requestContext);
    boolean _ =
        transaction.run(
            requestContext,
            () -> {
              lock(id, precondition);
              transaction.recordAudit(requestContext, "webhook.delete", target(id), "");
              return service.webhooks().remove(id);
            });
    if (!requestContext.isValidateOnly()) {
      service.notifyDeleted(id);
    }
    return HttpResponse.noContent();
  }

  /// Enables a webhook.
  ///
  /// It begins with the next event: what happened while it was disabled is not sent.
  @Post("/{webhook}/enable")
  @Secured(Roles.ADMIN)
  @ResponseStatuses(412)
  HttpResponse<WebhookView> enableWebhook(RequestContext requestContext, WebhookId id) {
    return setEnabled(requestContext, id, true, "webhook.enable");
  }

  /// Disables a webhook.
  ///
  /// Nothing more is sent until it is enabled.
  @Post("/{webhook}/disable")
  @Secured(Roles.ADMIN)
  @ResponseStatuses(412)
  HttpResponse<WebhookView> disableWebhook(RequestContext requestContext, WebhookId id) {
    return setEnabled(requestContext, id, false, "webhook.disable");
  }

  private HttpResponse<WebhookView> setEnabled(
      RequestContext requestContext, WebhookId id, boolean enabled, String action) {
    Precondition precondition = Etag.precondition(requestContext);
    long newest = service.newestEvent(id.tenant());
    WebhookRow row =
        transaction.run(
            requestContext,
            () -> {
              WebhookRow found = lock(id, precondition);
              if (found.enabled() == enabled) {
                return found;
              }
              transaction.recordAudit(requestContext, action, target(id), "");
              return service.setEnabled(found, enabled, requestContext.caller().name(), newest);
            });
    notifyUnlessValidated(requestContext, row);
    return respond(row);
  }

  /// Gives a webhook another secret.
  ///
  /// It is shown this once. The one before signs as well for 24 hours: each message has two signatures until then.
  @Post("/{webhook}/secret")
  @Secured(Roles.ADMIN)
  @ResponseStatuses(412)
  HttpResponse<WebhookSecretView> rotateWebhookSecret(RequestContext requestContext, WebhookId id) {
    Precondition precondition = Etag.precondition(requestContext);
    Saved saved =
        transaction.run(
            requestContext,
            () -> {
              lock(id, precondition);
              transaction.recordAudit(requestContext, "webhook.rotate-secret", target(id), "");
              return service.rotateSecret(id, requestContext.caller().name());
            });
    Optional<String> secret = saved.secret().filter(_ -> !requestContext.isValidateOnly()).map(WebhookSecret::text);
    return HttpResponse.ok(new WebhookSecretView(id.name(), secret, saved.row().previousSecretUntil().orElseThrow()))
        .header(HttpHeaders.ETAG, Etag.of(saved.row().version()));
  }

  /// Sends a test to a webhook.
  ///
  /// Now and once, also to one that is disabled; responds with what the receiver said, within 15 seconds.
  @Post("/{webhook}/test")
  @Secured(Roles.ADMIN)
  WebhookTestView testWebhook(RequestContext requestContext, WebhookId id) {
    WebhookRow row =
        transaction.run(
            requestContext,
            () -> {
              transaction.recordAudit(requestContext, "webhook.test", target(id), "");
              return service.find(id);
            });
    return requestContext.isValidateOnly()
        ? WebhookTestView.notSent()
        : WebhookTestView.of(service.test(row, requestContext.caller().name()));
  }

  private WebhookRow lock(WebhookId id, Precondition precondition) {
    return requireVersion(precondition, service.webhooks().lock(id)).orElseGet(() -> service.find(id));
  }

  private void notifyUnlessValidated(RequestContext requestContext, WebhookRow row) {
    if (!requestContext.isValidateOnly()) {
      service.notifyChanged(row);
    }
  }

  private static Optional<WebhookRow> requireVersion(Precondition precondition, Optional<WebhookRow> before) {
    return Etag.requireVersion(precondition, "the webhook", before, WebhookRow::version);
  }

  private MutableHttpResponse<WebhookView> respond(WebhookRow row) {
    return HttpResponse.ok(service.view(row, Optional.empty())).header(HttpHeaders.ETAG, Etag.of(row.version()));
  }

  private static String target(WebhookId id) {
    return "webhook/" + id.name();
  }
}
