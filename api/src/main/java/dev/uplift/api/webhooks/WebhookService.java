package dev.uplift.api.webhooks;

import dev.uplift.activities.webhook.WebhookRepositories;
import dev.uplift.activities.webhook.WebhookWorkflowClient;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.services.event.EventNumbers;
import dev.uplift.services.webhook.WebhookMessage;
import dev.uplift.services.webhook.WebhookPublisher;
import dev.uplift.services.webhook.WebhookResponse;
import dev.uplift.services.webhook.WebhookSecret;
import dev.uplift.services.webhook.WebhookSettings;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.webhook.WebhookRepository;
import dev.uplift.store.webhook.WebhookRow;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Changes webhooks, and tests them. What changes the tables is to be called within a transaction.
@Singleton
final class WebhookService {
  /// Each has a workflow, and each event is sent to each of them.
  private static final long MAX_PER_TENANT = 50;

  /// Time during which the previous secret signs as well.
  private static final Duration ROTATION = Duration.ofHours(24);

  private final WebhookRepositories tables;
  private final WebhookPublisher publisher;
  private final WebhookSettings settings;
  private final EventNumbers numbers;
  private final WebhookWorkflowClient workflows;
  private final TenantRepository tenants;
  private final InstantSource clock;

  WebhookService(
      WebhookRepositories tables,
      WebhookPublisher publisher,
      WebhookSettings settings,
      EventNumbers numbers,
      WebhookWorkflowClient workflows,
      TenantRepository tenants,
      InstantSource clock) {
    this.tables = tables;
    this.publisher = publisher;
    this.settings = settings;
    this.numbers = numbers;
    this.workflows = workflows;
    this.tenants = tenants;
    this.clock = clock;
  }

  /// A webhook as it was written.
  ///
  /// @param secret of a new one
  record Saved(WebhookRow row, Optional<WebhookSecret> secret) {}

  WebhookRepository webhooks() {
    return tables.webhooks();
  }

  WebhookRow find(WebhookId id) {
    return tables.webhooks().find(id).orElseThrow(() -> notFound(id));
  }

  private static ProblemException notFound(WebhookId id) {
    return ProblemException.notFound("there is no webhook %s in %s".formatted(id.name(), id.tenant()));
  }

  WebhookView view(WebhookRow row, Optional<WebhookSecret> secret) {
    return WebhookView.of(
        row, tables.deliveries().find(row.id()).orElseThrow(() -> notFound(row.id())), secret.map(WebhookSecret::text));
  }

  /// Refuses what the settings of this server, or its version, do not allow.
  void requireAllowed(PutWebhookRequest request) {
    List<RequestError> errors = new ArrayList<>();
    if (!request.isEncrypted() && !settings.allowsPrivateReceivers()) {
      errors.add(RequestError.atPointer("/url", "expected https: this server sends events over TLS only"));
    }
    for (int i = 0; i < request.events().size(); i++) {
      if (!PutWebhookRequest.isKnown(request.events().get(i))) {
        errors.add(RequestError.atPointer("/events/" + i, "there is no event of this kind"));
      }
    }
    if (!errors.isEmpty()) {
      throw ProblemException.unprocessable(errors);
    }
  }

  /// Returns where a webhook begins that is enabled now. Before the transaction.
  long newestEvent(String tenant) {
    return numbers.giveAll(tenant);
  }

  /// Creates the webhook, or makes it as the request says.
  ///
  /// @param newest where it begins if it is enabled by this
  Saved put(WebhookId id, PutWebhookRequest request, Optional<WebhookRow> before, String by, long newest) {
    Optional<WebhookSecret> secret = before.isPresent() ? Optional.empty() : Optional.of(WebhookSecret.generate());
    WebhookRow row =
        secret.isPresent()
            ? create(id, request, secret.get(), by, newest)
            : tables.webhooks().change(request.spec(id), by);
    if (before.filter(found -> !found.url().equals(row.url())).isPresent()) {
      tables.deliveries().forgetFailures(id);
    }
    boolean enabled = request.enabled() == null ? before.map(WebhookRow::enabled).orElse(true) : request.enabled();
    return new Saved(setEnabled(row, enabled, by, newest), secret);
  }

  private WebhookRow create(WebhookId id, PutWebhookRequest request, WebhookSecret secret, String by, long newest) {
    tenants.lock(id.tenant());
    if (tables.webhooks().count(id.tenant()) >= MAX_PER_TENANT) {
      throw ProblemException.conflict("there are %d webhooks; delete one".formatted(MAX_PER_TENANT));
    }
    WebhookRow row = tables.webhooks().create(request.spec(id), publisher.encrypt(id, secret), by);
    tables.deliveries().begin(id, newest);
    return row;
  }

  /// Enables the webhook, or disables it. One that is enabled by this begins after the newest event.
  WebhookRow setEnabled(WebhookRow row, boolean enabled, String by, long newest) {
    if (row.enabled() == enabled) {
      return row;
    }
    if (enabled) {
      tables.deliveries().begin(row.id(), newest);
      return tables.webhooks().enable(row.id(), by);
    }
    var _ = tables.webhooks().disable(row.id(), by, "");
    return find(row.id());
  }

  /// Gives the webhook another secret.
  Saved rotateSecret(WebhookId id, String by) {
    WebhookSecret secret = WebhookSecret.generate();
    Instant until = clock.instant().plus(ROTATION);
    return new Saved(tables.webhooks().rotateSecret(id, publisher.encrypt(id, secret), until, by), Optional.of(secret));
  }

  /// Sends a test now, also of a webhook that is disabled. Nothing is retried.
  WebhookResponse test(WebhookRow row, String by) {
    return publisher.publish(row, WebhookMessage.test(row.id(), by, clock.instant()));
  }

  /// Has the deliveries follow a change, in the background. After the transaction.
  void notifyChanged(WebhookRow row) {
    if (row.enabled()) {
      workflows.recheckEnabled(row.id());
    } else {
      workflows.recheckDisabled(row.id());
    }
  }

  /// Has the deliveries of a webhook that was deleted end, in the background. After the transaction.
  void notifyDeleted(WebhookId id) {
    workflows.recheckDisabled(id);
  }
}
