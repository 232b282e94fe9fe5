package dev.uplift.api.settings;

import dev.uplift.activities.ActivitiesSettings;
import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.api.security.TokenSecret;
import dev.uplift.services.artifacts.ArtifactUrlSigner;
import dev.uplift.services.enrolment.EnrolmentSettings;
import dev.uplift.services.messaging.NatsSettings;
import dev.uplift.services.trust.CommandKeys;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.workflows.device.UpgradeTimeouts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// All that the server is told. `docs/operating.md` has the table of the variables.
///
/// @param temporalUiUrl base of links into Temporal Web UI; empty where there is none
/// @param enrolment empty where this server lets no hosts in
/// @param joinRateLimits how often hosts may ask to be let in
public record Settings(
    Set<ServerRole> roles,
    DatabaseSettings database,
    ActivitiesSettings wiring,
    String temporalUiUrl,
    Path artifactsFolder,
    TokenSecret tokenSecret,
    UpgradeTimeouts upgradeTimeouts,
    Optional<EnrolmentSettings> enrolment,
    JoinRateLimits joinRateLimits) {

  /// Reads the environment, and the files that it names.
  ///
  /// @throws InvalidSettings with everything that is wrong
  public static Settings of(Map<String, String> environment) throws InvalidSettings {
    return of(new EnvironmentReader(environment));
  }

  private static Settings of(EnvironmentReader in) throws InvalidSettings {
    var roles = in.value("UPLIFT_ROLES", "api,worker", ServerRole::parse);
    var url = in.text("UPLIFT_DATABASE_URL");
    var user = in.text("UPLIFT_DATABASE_USER", "uplift");
    var password = in.optionalFile("UPLIFT_DATABASE_PASSWORD_FILE", SettingsFiles::text);
    var database =
        in.build(
            "UPLIFT_DATABASE_URL",
            () -> new DatabaseSettings(url.get(), user.get(), password.orElse("")));
    var pace = TimeoutSettingsReader.read(in);
    var wiring = wiring(in, pace);
    var temporalUi = in.text("UPLIFT_TEMPORAL_UI_URL", "");
    var artifacts = in.file("UPLIFT_ARTIFACTS_FOLDER", folder -> folder);
    var tokens = in.file("UPLIFT_JWT_SECRET_FILE", file -> new TokenSecret(SettingsFiles.text(file)));
    var enrolment = EnrolmentSettingsReader.read(in);
    var joins = JoinRateLimits.read(in);
    in.throwIfInvalid();
    return new Settings(
        roles.get(),
        database.get(),
        wiring.get(),
        temporalUi.get().replaceFirst("/+$", ""),
        artifacts.get(),
        tokens.get(),
        pace.get(),
        enrolment.asOptional(),
        joins.get());
  }

  private static EnvironmentReader.Value<ActivitiesSettings> wiring(EnvironmentReader in, EnvironmentReader.Value<UpgradeTimeouts> pace) {
    var target = in.text("UPLIFT_TEMPORAL_ADDRESS", "127.0.0.1:7233");
    var namespace = in.text("UPLIFT_TEMPORAL_NAMESPACE", "default");
    var nats = nats(in);
    var commandKeys = in.file("UPLIFT_COMMAND_KEYS_FOLDER", CommandKeys::readFrom);
    var publicUrl = in.value("UPLIFT_PUBLIC_URL", "", Settings::publicUrl);
    var secret = in.file("UPLIFT_ARTIFACTS_SECRET_FILE", SettingsFiles::secrets);
    var silentAfter = duration(in, "UPLIFT_PRESENCE_SILENT_AFTER", ActivitiesSettings.DEFAULT_SILENT_AFTER);
    var rolloutPace = TimeoutSettingsReader.readRollouts(in);
    var reconcileEvery = duration(in, "UPLIFT_RECONCILE_INTERVAL", ActivitiesSettings.DEFAULT_RECONCILE_EVERY);
    return in.build(
        "UPLIFT_PUBLIC_URL",
        () ->
            new ActivitiesSettings(
                nats.get(),
                new TemporalSettings(target.get(), namespace.get()),
                commandKeys.get(),
                new ArtifactUrlSigner(publicUrl.get(), secret.get()),
                silentAfter.get(),
                reconcileEvery.get(),
                pace.get(),
                rolloutPace.get()));
  }

  private static EnvironmentReader.Value<Duration> duration(EnvironmentReader in, String name, Duration usual) {
    return in.value(name, usual.toString(), TimeoutSettingsReader::parseDuration);
  }

  private static EnvironmentReader.Value<NatsSettings> nats(EnvironmentReader in) {
    var url = in.text("UPLIFT_NATS_URL", "nats://127.0.0.1:4222");
    var credentials = in.optionalFile("UPLIFT_NATS_CREDENTIALS_FILE", SettingsFiles::readable);
    var authorities = in.optionalFile("UPLIFT_NATS_CA_FILE", SettingsFiles::readable);
    var replicas = in.value("UPLIFT_NATS_REPLICAS", "1", Settings::replicas);
    return in.build(
        "UPLIFT_NATS_URL",
        () -> new NatsSettings(url.get(), credentials.asOptional(), authorities.asOptional(), replicas.get()));
  }

  private static Integer replicas(String text) {
    int replicas = Integer.parseInt(text);
    if (replicas < 1 || replicas > 5) {
      throw new IllegalArgumentException("expected 1 to 5");
    }
    return replicas;
  }

  private static String publicUrl(String text) {
    if (!text.matches("https?://.+")) {
      throw new IllegalArgumentException(
          "expected how hosts reach this server, such as https://uplift.example.com");
    }
    return text;
  }

  /// Whether this process answers people.
  public boolean hasApiRole() {
    return roles.contains(ServerRole.API);
  }

  /// Whether this process carries upgrades out.
  public boolean hasWorkerRole() {
    return roles.contains(ServerRole.WORKER);
  }
}
