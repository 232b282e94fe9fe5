package dev.uplift.activities.webhook;

import dev.uplift.activities.metrics.WebhookMetrics;
import dev.uplift.activities.temporal.ActivityFailures;
import dev.uplift.fleet.webhook.DeliveryAttempt;
import dev.uplift.fleet.webhook.DeliveryDecision;
import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.services.webhook.WebhookMessage;
import dev.uplift.services.webhook.WebhookPublisher;
import dev.uplift.services.webhook.WebhookSettings;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.event.TenantEventRow;
import dev.uplift.store.webhook.WebhookDeliveryRow;
import dev.uplift.store.webhook.WebhookRow;
import dev.uplift.workflows.webhook.WebhookInput;
import dev.uplift.workflows.webhook.WebhookReport;
import dev.uplift.workflows.webhook.WebhookSteps;
import io.temporal.activity.Activity;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends the events of a tenant to a webhook.
@Singleton
public final class WebhookStepsActivities implements WebhookSteps {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookStepsActivities.class);

  /// Of one activity.
  static final int MAX_EVENTS = 100;

  private final WebhookRepositories tables;
  private final WebhookPublisher publisher;
  private final WebhookSettings settings;
  private final WebhookMetrics metrics;
  private final InstantSource clock;

  public WebhookStepsActivities(
      WebhookRepositories tables,
      WebhookPublisher publisher,
      WebhookSettings settings,
      WebhookMetrics metrics,
      InstantSource clock) {
    this.tables = tables;
    this.publisher = publisher;
    this.settings = settings;
    this.metrics = metrics;
    this.clock = clock;
  }

  @Override
  public WebhookReport deliver(WebhookInput input) {
    var context = Activity.getExecutionContext();
    try {
      return deliver(new WebhookId(input.tenant(), input.webhook()), context::heartbeat);
    } catch (DatabaseUnavailable e) {
      throw ActivityFailures.retryable(e).build();
    }
  }

  /// @param afterEvent receives the number of each event that is sent
  WebhookReport deliver(WebhookId id, LongConsumer afterEvent) {
    Optional<WebhookRow> webhook = tables.webhooks().find(id).filter(WebhookRow::enabled);
    Optional<WebhookDeliveryRow> begin = tables.deliveries().find(id);
    if (webhook.isEmpty() || begin.isEmpty()) {
      return WebhookReport.disabled(0, "the webhook is disabled or deleted");
    }
    var progress = new Progress(begin.get().position());
    List<TenantEventRow> page = tables.events().listAfter(id.tenant(), progress.position, MAX_EVENTS);
    for (TenantEventRow event : page.stream().filter(each -> isFor(webhook.get(), each)).toList()) {
      Optional<WebhookReport> end = deliver(id, event, progress);
      if (end.isPresent()) {
        return end.get();
      }
      afterEvent.accept(event.number());
    }
    return finish(id, page, progress);
  }

  /// Returns whether an event is sent to a webhook. One that is meant for this webhook is, regardless of its filter.
  private static boolean isFor(WebhookRow webhook, TenantEventRow event) {
    return event.webhook().map(webhook.name()::equals).orElseGet(() -> webhook.filter().accepts(event.kind()));
  }

  /// The progress of one activity.
  private static final class Progress {
    /// As it is stored.
    long position;

    int delivered;

    Progress(long position) {
      this.position = position;
    }
  }

  private WebhookReport finish(WebhookId id, List<TenantEventRow> page, Progress progress) {
    if (page.isEmpty()) {
      return WebhookReport.accepted(0, false, "nothing to send after event " + progress.position);
    }
    long last = page.getLast().number();
    if (progress.position < last) {
      tables.deliveries().skipTo(id, progress.position, last);
    }
    return WebhookReport.accepted(
        progress.delivered, true, "sent %d events, up to event %d".formatted(progress.delivered, last));
  }

  /// Returns the end of this activity if the event is not the last thing that happens in it.
  private Optional<WebhookReport> deliver(WebhookId id, TenantEventRow event, Progress progress) {
    Optional<WebhookRow> webhook = tables.webhooks().find(id).filter(WebhookRow::enabled);
    Optional<WebhookDeliveryRow> before = tables.deliveries().find(id);
    if (webhook.isEmpty() || before.isEmpty()) {
      return Optional.of(WebhookReport.disabled(progress.delivered, "the webhook is disabled or deleted"));
    }
    if (before.get().position() != progress.position) {
      return Optional.of(beginsElsewhere(progress));
    }
    DeliveryAttempt attempt = publisher.publish(webhook.get(), WebhookMessage.of(id, event)).attempt();
    requireNotInterrupted();
    metrics.countAttempt(attempt);
    return switch (DeliveryDecision.of(
        attempt, before.get().failuresInARow(), clock.instant(), settings.disableAfter())) {
      case DeliveryDecision.Proceed() -> proceed(id, event, progress);
      case DeliveryDecision.Retry(var pause) -> {
        String error = "event %d: %s".formatted(event.number(), attempt.describe());
        tables.deliveries().recordFailure(id, progress.position, error);
        yield Optional.of(WebhookReport.failing(progress.delivered, pause, error));
      }
      case DeliveryDecision.Disable(String reason) -> {
        tables
            .deliveries()
            .recordFailure(id, progress.position, "event %d: %s".formatted(event.number(), attempt.describe()));
        yield Optional.of(disable(webhook.get(), reason, progress));
      }
    };
  }

  /// When this server ends, the event is another one's to send: nothing is known of the receiver.
  private static void requireNotInterrupted() {
    if (Thread.currentThread().isInterrupted()) {
      throw ActivityFailures.retryable("ServerShutdown", "interrupted").build();
    }
  }

  private static WebhookReport beginsElsewhere(Progress progress) {
    return WebhookReport.accepted(progress.delivered, true, "the webhook begins elsewhere");
  }

  /// Another server, or a person who has enabled the webhook again, may have moved it meanwhile.
  private Optional<WebhookReport> proceed(WebhookId id, TenantEventRow event, Progress progress) {
    progress.delivered++;
    if (!tables.deliveries().recordDelivered(id, progress.position, event.number())) {
      return Optional.of(beginsElsewhere(progress));
    }
    progress.position = event.number();
    return Optional.empty();
  }

  private WebhookReport disable(WebhookRow webhook, String reason, Progress progress) {
    if (!tables.disable(webhook, reason)) {
      return WebhookReport.accepted(progress.delivered, true, "a person has changed the webhook meanwhile");
    }
    metrics.countDisabled();
    LOG.warn("webhook {} is disabled: {}", webhook.id(), reason);
    return WebhookReport.disabled(progress.delivered, "disabled: " + reason);
  }
}
