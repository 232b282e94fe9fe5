package dev.uplift.api.beans;

import dev.uplift.activities.ActivitiesFactory;
import dev.uplift.activities.temporal.RolloutStarter;
import dev.uplift.activities.temporal.RolloutWorkflowClient;
import dev.uplift.activities.temporal.UpgradeSignals;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.api.artifacts.ArtifactFolder;
import dev.uplift.api.enrolment.HostAccess;
import dev.uplift.api.enrolment.TrustFiles;
import dev.uplift.api.security.TokenSecret;
import dev.uplift.api.settings.JoinRateLimits;
import dev.uplift.api.settings.Settings;
import dev.uplift.services.artifacts.ArtifactUrlSigner;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.rollout.RolloutPlanner;
import dev.uplift.services.trust.CommandKeys;
import dev.uplift.services.trust.TrustRootPublisher;
import dev.uplift.services.trust.TrustRoots;
import dev.uplift.services.upgrade.RevertPlanner;
import dev.uplift.services.upgrade.UpgradePreview;
import dev.uplift.store.Database;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.enrolment.EnrolmentRepository;
import dev.uplift.store.trust.TrustRootRepository;
import dev.uplift.store.upgrade.UpgradeRepository;
import io.micrometer.core.instrument.MeterRegistry;
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
final class ServiceFactory {
  /// Ours: the framework has one too.
  @Singleton
  @Primary
  InstantSource clock() {
    return InstantSource.system();
  }

  @Singleton
  @Bean(preDestroy = "close")
  Database database(OpenDatabase open) {
    return open.database();
  }

  @Singleton
  @Bean(preDestroy = "close")
  ActivitiesFactory wiring(Settings settings, Database database, MeterRegistry meters) {
    return new ActivitiesFactory(settings.activities(), database, meters);
  }

  @Singleton
  Presence presence(ActivitiesFactory activities) {
    return activities.presence();
  }

  @Singleton
  UpgradeStarter upgradeStarter(ActivitiesFactory activities) {
    return activities.upgradeStarter();
  }

  @Singleton
  UpgradeWorkflowClient steering(ActivitiesFactory activities) {
    return activities.upgradeWorkflowClient();
  }

  @Singleton
  UpgradeSignals upgradeSignals(ActivitiesFactory activities) {
    return activities.upgradeSignals();
  }

  @Singleton
  RolloutPlanner rolloutPlanner(ActivitiesFactory activities) {
    return activities.rolloutPlanner();
  }

  @Singleton
  RolloutStarter rolloutStarter(ActivitiesFactory activities) {
    return activities.rolloutStarter();
  }

  @Singleton
  RolloutWorkflowClient rolloutSteering(ActivitiesFactory activities) {
    return activities.rolloutWorkflowClient();
  }

  @Singleton
  HostAccess hostAccess(
      Settings settings,
      ActivitiesFactory activities,
      Database database,
      EnrolmentRepository enrolmentRepository,
      HostRepository hostRepository) {
    return new HostAccess(
        settings
            .enrolment()
            .filter(_ -> settings.hasApiRole())
            .map(told -> activities.startEnrolment(told, database)),
        enrolmentRepository,
        hostRepository);
  }

  @Singleton
  JoinRateLimits joinRateLimits(Settings settings) {
    return settings.joinRateLimits();
  }

  @Singleton
  TrustFiles trustFiles(TrustRootRepository trustRoots) {
    return tenant ->
        trustRoots
            .findNewest(tenant)
            .map(root -> new TreeMap<>(Map.of("root.json", root.document())))
            .orElseGet(TreeMap::new);
  }

  @Singleton
  UpgradePreview upgradePreview(ActivitiesFactory activities) {
    return activities.upgradePreview();
  }

  @Singleton
  RevertPlanner revertPlanner(
      DeviceRepository deviceRepository, UpgradeRepository upgradeRepository) {
    return new RevertPlanner(deviceRepository, upgradeRepository);
  }

  @Singleton
  TokenSecret tokenSecret(Settings settings) {
    return settings.tokenSecret();
  }

  @Singleton
  TrustRoots trust(TrustRootRepository trustRoots) {
    return new TrustRoots(trustRoots);
  }

  @Singleton
  CommandKeys commandKeys(Settings settings) {
    return settings.activities().commandKeys();
  }

  @Singleton
  TrustRootPublisher rootStream(ActivitiesFactory activities) {
    return activities.trustRootPublisher();
  }

  @Singleton
  ArtifactUrlSigner artifactAddresses(Settings settings) {
    return settings.activities().artifactUrls();
  }

  @Singleton
  ArtifactFolder artifactFolder(Settings settings) throws IOException {
    return new ArtifactFolder(settings.artifactsFolder());
  }
}
