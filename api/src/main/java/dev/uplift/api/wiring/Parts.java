package dev.uplift.api.wiring;

import dev.uplift.activities.Wiring;
import dev.uplift.activities.artifacts.ArtifactAddresses;
import dev.uplift.activities.device.Foresight;
import dev.uplift.activities.device.Reverts;
import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.rollout.RolloutPlanner;
import dev.uplift.activities.temporal.Proceeding;
import dev.uplift.activities.temporal.RolloutStarter;
import dev.uplift.activities.temporal.RolloutSteering;
import dev.uplift.activities.temporal.Steering;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.activities.trust.CommandKeys;
import dev.uplift.activities.trust.RootStream;
import dev.uplift.activities.trust.Trust;
import dev.uplift.api.artifacts.ArtifactFolder;
import dev.uplift.api.enrolment.Door;
import dev.uplift.api.enrolment.HostTrust;
import dev.uplift.api.security.TokenSecret;
import dev.uplift.api.settings.JoinLimits;
import dev.uplift.api.settings.Settings;
import dev.uplift.store.Database;
import dev.uplift.store.Devices;
import dev.uplift.store.Enrolments;
import dev.uplift.store.Hosts;
import dev.uplift.store.Roots;
import dev.uplift.store.Upgrades;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/// The parts that hold connections and secrets. The database must be there; NATS and Temporal may
/// come later.
@Factory
final class Parts {
  /// Ours: the framework has one too.
  @Singleton
  @Primary
  InstantSource clock() {
    return InstantSource.system();
  }

  @Singleton
  @Bean(preDestroy = "close")
  PrometheusMeterRegistry meters() {
    return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  }

  @Singleton
  @Bean(preDestroy = "close")
  Database database(OpenDatabase open) {
    return open.database();
  }

  @Singleton
  @Bean(preDestroy = "close")
  Wiring wiring(Settings settings, Database database, PrometheusMeterRegistry meters) {
    return new Wiring(settings.wiring(), database, meters);
  }

  @Singleton
  Presence presence(Wiring wiring) {
    return wiring.presence();
  }

  @Singleton
  UpgradeStarter starter(Wiring wiring) {
    return wiring.starter();
  }

  @Singleton
  Steering steering(Wiring wiring) {
    return wiring.steering();
  }

  @Singleton
  Proceeding proceeding(Wiring wiring) {
    return wiring.proceeding();
  }

  @Singleton
  RolloutPlanner planner(Wiring wiring) {
    return wiring.planner();
  }

  @Singleton
  RolloutStarter rolloutStarter(Wiring wiring) {
    return wiring.rolloutStarter();
  }

  @Singleton
  RolloutSteering rolloutSteering(Wiring wiring) {
    return wiring.rolloutSteering();
  }

  @Singleton
  Door door(
      Settings settings, Wiring wiring, Database database, Enrolments enrolments, Hosts hosts) {
    return new Door(
        settings
            .enrolment()
            .filter(_ -> settings.isApi())
            .map(told -> wiring.openDoor(told, database)),
        enrolments,
        hosts);
  }

  @Singleton
  JoinLimits joins(Settings settings) {
    return settings.joins();
  }

  @Singleton
  HostTrust hostTrust(Roots roots) {
    return tenant ->
        roots
            .newest(tenant)
            .map(root -> new TreeMap<>(Map.of("root.json", root.text())))
            .orElseGet(TreeMap::new);
  }

  @Singleton
  Foresight foresight(Wiring wiring) {
    return wiring.foresight();
  }

  @Singleton
  Reverts reverts(Devices devices, Upgrades upgrades) {
    return new Reverts(devices, upgrades);
  }

  @Singleton
  TokenSecret tokens(Settings settings) {
    return settings.tokens();
  }

  @Singleton
  Trust trust(Roots roots) {
    return new Trust(roots);
  }

  @Singleton
  CommandKeys commandKeys(Settings settings) {
    return settings.wiring().commandKeys();
  }

  @Singleton
  RootStream rootStream(Wiring wiring) {
    return wiring.roots();
  }

  @Singleton
  ArtifactAddresses addresses(Settings settings) {
    return settings.wiring().artifacts();
  }

  @Singleton
  ArtifactFolder artifacts(Settings settings) throws IOException {
    return new ArtifactFolder(settings.artifacts());
  }
}
