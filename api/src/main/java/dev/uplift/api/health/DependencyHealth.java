package dev.uplift.api.health;

import dev.uplift.activities.Convergence;
import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.fleet.presence.SuspectedOutage;
import dev.uplift.services.messaging.ConnectionFailure;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.StreamMonitor;
import dev.uplift.services.presence.Presence;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.reconciler.FailingWorkflowRepository;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.async.publisher.AsyncSingleResultPublisher;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Readiness;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;

/// Health indicators of the database, Temporal and NATS. Each answers within seconds, on a thread of its own, and names
/// no tenant and no address: anybody may read it.
@Factory
final class DependencyHealth {
  private final ExecutorService executor;

  DependencyHealth(@Named(TaskExecutors.BLOCKING) ExecutorService executor) {
    this.executor = executor;
  }

  @Singleton
  @Readiness
  HealthIndicator database(Database database) {
    return indicator("database", database::isAvailable);
  }

  @Singleton
  HealthIndicator temporal(TemporalClients temporal) {
    return indicator("temporal", temporal::isReachable);
  }

  @Singleton
  HealthIndicator nats(NatsConnection nats) {
    return () -> new AsyncSingleResultPublisher<>(executor, () -> check(nats));
  }

  static HealthResult check(NatsConnection nats) {
    return HealthResult.builder("nats", nats.status().connected() ? HealthStatus.UP : HealthStatus.DOWN)
        .details(nats.failure().map(ConnectionFailure::publicText).stream().toList())
        .build();
  }

  @Singleton
  HealthIndicator streams(StreamMonitor streams) {
    return indicator("streams", () -> streams.missing().isEmpty());
  }

  /// A suspected outage lies outside of this server, so it stays healthy and says so.
  @Singleton
  HealthIndicator hosts(Presence presence) {
    return () ->
        new AsyncSingleResultPublisher<>(
            executor,
            () ->
                HealthResult.builder("hosts", HealthStatus.UP)
                    .details(presence.suspectedOutages().stream().map(SuspectedOutage::describe).toList())
                    .build());
  }

  /// A server that catches up works, and says what it does not know yet.
  @Singleton
  HealthIndicator convergence(Convergence convergence) {
    return () ->
        new AsyncSingleResultPublisher<>(
            executor,
            () -> HealthResult.builder("convergence", HealthStatus.UP).details(describe(convergence)).build());
  }

  private static List<String> describe(Convergence convergence) {
    return convergence.isConverged()
        ? List.of("converged")
        : convergence.missing().stream().map("recovering: "::concat).toList();
  }

  /// A workflow that fails is no reason to take this server out of service: another one would fail as well.
  @Singleton
  HealthIndicator workflows(FailingWorkflowRepository failingWorkflows) {
    return () ->
        new AsyncSingleResultPublisher<>(
            executor,
            () ->
                HealthResult.builder("workflows", HealthStatus.UP).details(describeFailing(failingWorkflows)).build());
  }

  private static List<String> describeFailing(FailingWorkflowRepository failingWorkflows) {
    try {
      long failing = failingWorkflows.countAll();
      return failing == 0 ? List.of() : List.of("workflows that fail again and again: " + failing);
    } catch (DatabaseUnavailable _) {
      return List.of();
    }
  }

  private HealthIndicator indicator(String name, BooleanSupplier isUp) {
    BooleanSupplier recent = new RecentCheck(isUp, System::nanoTime);
    return () ->
        new AsyncSingleResultPublisher<>(
            executor,
            () -> HealthResult.builder(name, recent.getAsBoolean() ? HealthStatus.UP : HealthStatus.DOWN).build());
  }
}
