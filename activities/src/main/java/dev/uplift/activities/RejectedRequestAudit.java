package dev.uplift.activities;

import dev.uplift.activities.temporal.RejectedRequests;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.audit.AuditRepository;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.rollout.RolloutInput;
import dev.uplift.workflows.webhook.WebhookInput;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes what was sent past REST into the log, a metric, and the audit of the tenant that it concerned. A thread of
/// its own writes it, because a workflow must not wait; without a database only log and metric have it.
@Singleton
final class RejectedRequestAudit implements RejectedRequests {
  private static final Logger LOG = LoggerFactory.getLogger(RejectedRequestAudit.class);
  private static final String SOURCE = "temporal";

  private final AuditRepository audit;
  private final Counter rejected;

  RejectedRequestAudit(AuditRepository audit, MeterRegistry meters) {
    this.audit = audit;
    this.rejected = meters.counter("uplift.temporal.requests.rejected");
  }

  @Override
  public void record(String workflow, Object[] input, String what) {
    rejected.increment();
    LOG.warn("refused, because it does not come from a server of this installation: {}", what);
    entry(input, what).ifPresent(entry -> Thread.ofVirtual().name("rejected-request").start(() -> append(entry)));
  }

  private static Optional<AuditEntry> entry(Object[] input, String what) {
    return Arrays.stream(input)
        .limit(1)
        .flatMap(first ->
            switch (first) {
              case UpgradePlan plan ->
                  Optional.of(entry(plan.device().tenant(), "upgrade", plan.upgrade(), what)).stream();
              case RolloutInput rollout ->
                  Optional.of(entry(rollout.tenant(), "rollout", rollout.rollout(), what)).stream();
              case WebhookInput webhook ->
                  Optional.of(entry(webhook.tenant(), "webhook", webhook.webhook(), what)).stream();
              default -> Optional.<AuditEntry>empty().stream();
            })
        .findFirst();
  }

  private static AuditEntry entry(String tenant, String kind, String id, String what) {
    return new AuditEntry(tenant, SOURCE, kind + ".refused", kind + "/" + id, SOURCE, "not-ours: " + what);
  }

  private void append(AuditEntry entry) {
    try {
      audit.append(entry);
    } catch (NoSuchTenant | DatabaseUnavailable e) {
      LOG.warn("not in the audit: {}", entry.detail(), e);
    }
  }
}
