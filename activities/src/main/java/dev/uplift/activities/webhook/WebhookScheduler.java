package dev.uplift.activities.webhook;

import dev.uplift.activities.reconciler.FailingWorkflowMonitor;
import dev.uplift.activities.reconciler.FaultIsolation;
import dev.uplift.activities.reconciler.FaultIsolation.IsolatedPass;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.services.event.EventNumbers;
import dev.uplift.services.messaging.MonotonicClock;
import dev.uplift.services.webhook.WebhookPublisher;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.reconciler.ReconcilerLeaseRepository;
import dev.uplift.store.webhook.WebhookDeliveryRepository.WebhookPosition;
import dev.uplift.store.webhook.WebhookRow;
import dev.uplift.workflows.webhook.WebhookInput;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the workflows of enabled webhooks that there are new events. One server at a time does so for all; if it is
/// killed, another one takes over within 20 s.
@Singleton
public final class WebhookScheduler {
  /// Interval at which the server that holds the lease looks for new events. Without enabled webhooks it costs one
  /// statement.
  public static final Duration INTERVAL = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(WebhookScheduler.class);
  private static final String LEASE = "webhooks";
  private static final Duration LEASE_DURATION = Duration.ofSeconds(15);

  /// Between two statements for the lease, which may be written to the disk.
  private static final Duration LEASE_RENEWAL = Duration.ofSeconds(5);

  private final WebhookRepositories tables;
  private final EventNumbers numbers;
  private final WebhookWorkflowClient workflows;
  private final WebhookPublisher publisher;
  private final FailingWorkflowMonitor failingWorkflows;
  private final ReconcilerLeaseRepository leases;
  private final InstantSource clock;
  private final FaultIsolation signalling = new FaultIsolation("signal to webhook");
  private final FaultIsolation reconciliation = new FaultIsolation("webhook");
  private final String holder = UUID.randomUUID().toString();

  /// The newest event that the workflow of a webhook was told of.
  private final Map<WebhookId, Long> told = new HashMap<>();

  private boolean isHolder;
  private Instant leaseCheckedAt;

  @Inject
  public WebhookScheduler(
      WebhookRepositories tables,
      EventNumbers numbers,
      WebhookWorkflowClient workflows,
      WebhookPublisher publisher,
      FailingWorkflowMonitor failingWorkflows,
      ReconcilerLeaseRepository leases,
      MonotonicClock clock) {
    this(tables, numbers, workflows, publisher, failingWorkflows, leases, (InstantSource) clock);
  }

  WebhookScheduler(
      WebhookRepositories tables,
      EventNumbers numbers,
      WebhookWorkflowClient workflows,
      WebhookPublisher publisher,
      FailingWorkflowMonitor failingWorkflows,
      ReconcilerLeaseRepository leases,
      InstantSource clock) {
    this.tables = tables;
    this.numbers = numbers;
    this.workflows = workflows;
    this.publisher = publisher;
    this.failingWorkflows = failingWorkflows;
    this.leases = leases;
    this.clock = clock;
    this.leaseCheckedAt = clock.instant().minus(LEASE_RENEWAL);
  }

  /// Looks for new events, unless another server does. To be called every [#INTERVAL]. What is unavailable now is left
  /// to the next run.
  ///
  /// @throws dev.uplift.activities.reconciler.IncompletePass if one could not be told; all others are
  public synchronized void run() {
    IsolatedPass pass = signalling.beginPass();
    try {
      List<WebhookPosition> enabled = tables.deliveries().listEnabled();
      told.keySet().retainAll(enabled.stream().map(WebhookPosition::id).toList());
      if (!enabled.isEmpty() && isMyTurn()) {
        tellNew(enabled, pass);
      }
    } catch (TemporalUnavailable | DatabaseUnavailable e) {
      LOG.debug("webhooks are told later", e);
    }
    pass.end();
  }

  private boolean isMyTurn() {
    Instant now = clock.instant();
    if (!now.isBefore(leaseCheckedAt.plus(LEASE_RENEWAL))) {
      isHolder = leases.acquire(LEASE, holder, LEASE_DURATION).isPresent();
      leaseCheckedAt = now;
    }
    // The statement may have taken long.
    return isHolder && clock.instant().isBefore(leaseCheckedAt.plus(LEASE_DURATION));
  }

  private void tellNew(List<WebhookPosition> enabled, IsolatedPass pass) {
    Map<String, Long> newest = new HashMap<>();
    enabled.forEach(webhook -> pass.run(webhook.id(), () -> tellNew(webhook, newest)));
  }

  private void tellNew(WebhookPosition webhook, Map<String, Long> newest) {
    long last = newest.computeIfAbsent(webhook.tenant(), numbers::giveAll);
    long known = Math.max(webhook.position(), told.getOrDefault(webhook.id(), 0L));
    // A workflow with a failing receiver retries by itself, and then sends all there is.
    boolean goesOn = webhook.failures() > 0 && told.containsKey(webhook.id());
    if (last > known && !goesOn) {
      workflows.deliver(webhook.id());
      told.put(webhook.id(), last);
    }
  }

  /// Tells of waits that last, sees to it that what lags has a workflow, and that secrets stay readable. To be called
  /// periodically; safe for any number of servers at once.
  ///
  /// @throws dev.uplift.activities.reconciler.IncompletePass if a webhook could not be reconciled; all others are
  public synchronized void reconcile() {
    IsolatedPass pass = reconciliation.beginPass();
    try {
      pass.run("escalation", tables.escalations()::escalate);
      // A webhook that lags is signalled again: its workflow may have been terminated.
      told.clear();
      tables.webhooks().findAll().forEach(webhook -> pass.run(webhook.id(), () -> reconcile(webhook)));
    } catch (TemporalUnavailable | DatabaseUnavailable e) {
      LOG.debug("webhooks are reconciled later", e);
    }
    pass.end();
  }

  private void reconcile(WebhookRow webhook) {
    Stream.concat(Stream.of(webhook.secret()), webhook.previousSecret().stream())
        .forEach(secret -> reencrypt(webhook.id(), secret));
    if (webhook.enabled()) {
      failingWorkflows.check(webhook.tenant(), WebhookInput.workflowId(webhook.tenant(), webhook.name()));
    }
  }

  private void reencrypt(WebhookId webhook, String secret) {
    publisher
        .reencrypt(webhook, secret)
        .ifPresent(
            encrypted -> tables.webhooks().replaceEncryption(webhook.tenant(), webhook.name(), secret, encrypted));
  }
}
