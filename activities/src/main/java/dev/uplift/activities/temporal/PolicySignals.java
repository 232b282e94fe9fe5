package dev.uplift.activities.temporal;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.RolloutId;
import dev.uplift.services.policy.PolicyRepositories;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.policy.PolicyRow;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Signals the policies that something may concern, in the background. Best effort: each looks at all its devices every
/// hour by itself.
@Singleton
public final class PolicySignals {
  private static final Logger LOG = LoggerFactory.getLogger(PolicySignals.class);

  /// A signal names at most so many.
  private static final int MAX_DEVICES = 100;

  private final PolicyRepositories tables;
  private final PolicyWorkflowClient workflows;
  private final PolicyScheduleClient schedules;

  public PolicySignals(PolicyRepositories tables, PolicyWorkflowClient workflows, PolicyScheduleClient schedules) {
    this.tables = tables;
    this.workflows = workflows;
    this.schedules = schedules;
  }

  /// A rollout has ended: its policy may have more to do, others may decide for its devices now, and a device that a
  /// person's rollout kept from them is free.
  public void recheckAfterRollout(RolloutId rollout) {
    send(() ->
        tables
            .rollouts()
            .rollouts()
            .find(rollout)
            .ifPresent(row -> recheckPackage(rollout.tenant(), row.packageName())));
  }

  /// All devices of all policies for a package: a release, a channel or another policy has changed.
  public void recheckPackage(String tenant, String packageName) {
    send(() -> forEach(tables.policies().findEnabled(tenant, packageName), row -> workflows.recheck(row.id())));
  }

  /// All devices of all policies of a tenant.
  public void recheckTenant(String tenant) {
    send(() -> forEach(tables.policies().findEnabledOfTenant(tenant), row -> workflows.recheck(row.id())));
  }

  /// These devices, for all policies of their tenant; of many, all devices.
  public void recheckDevices(String tenant, Collection<String> devices) {
    List<String> names = List.copyOf(devices);
    if (!names.isEmpty()) {
      send(() -> recheckDevices(tables.policies().findEnabledOfTenant(tenant), names));
    }
  }

  /// The devices of these hosts. Costs a single statement in a tenant without enabled policies.
  public void recheckHosts(String tenant, Set<HostId> hosts) {
    if (hosts.size() > MAX_DEVICES) {
      recheckTenant(tenant);
      return;
    }
    send(() -> {
      List<PolicyRow> enabled = tables.policies().findEnabledOfTenant(tenant);
      if (!enabled.isEmpty()) {
        recheckDevices(enabled, devicesOf(tenant, hosts));
      }
    });
  }

  private List<String> devicesOf(String tenant, Set<HostId> hosts) {
    DeviceRepository devices = tables.rollouts().common().devices();
    return hosts.stream()
        .flatMap(host -> devices.findByHost(tenant, host).stream())
        .map(DeviceRow::name)
        .distinct()
        .toList();
  }

  private void recheckDevices(List<PolicyRow> policies, List<String> devices) {
    if (devices.isEmpty()) {
      return;
    }
    forEach(
        policies,
        row -> {
          if (devices.size() > MAX_DEVICES) {
            workflows.recheck(row.id());
          } else {
            workflows.recheckDevices(row.id(), devices);
          }
        });
  }

  /// A policy has changed, or is deleted: starts the workflow of one that is enabled, then makes its schedule; or
  /// removes its schedule and has what it began stopped. What is stored by now counts, so changes that follow each
  /// other may be told in any order. The other policies for its package may decide for its devices now.
  public void recheck(PolicyRow policy) {
    send(() -> {
      Optional<PolicyRow> enabled = tables.policies().find(policy.id()).filter(PolicyRow::enabled);
      if (enabled.isPresent()) {
        workflows.startOrRecheck(enabled.get());
        schedules.apply(enabled.get());
      } else {
        schedules.remove(policy.id());
        workflows.recheck(policy.id());
      }
    });
    recheckPackage(policy.tenant(), policy.packageName());
  }

  private static void forEach(List<PolicyRow> policies, Consumer<PolicyRow> action) {
    policies.forEach(action);
  }

  /// Not on this thread: Temporal may be unavailable, and nothing waits for the signals.
  private static void send(Runnable signals) {
    Thread.ofVirtual().name("policy-signals").start(() -> sendNow(signals));
  }

  private static void sendNow(Runnable signals) {
    try {
      signals.run();
    } catch (TemporalUnavailable | DatabaseUnavailable e) {
      LOG.info("policies look at their devices by themselves within the hour: {}", e.getMessage());
    }
  }
}
