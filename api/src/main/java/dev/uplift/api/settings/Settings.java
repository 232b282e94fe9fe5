package dev.uplift.api.settings;

import dev.uplift.activities.WiringSettings;
import dev.uplift.activities.artifacts.ArtifactAddresses;
import dev.uplift.activities.enrolment.EnrolmentSettings;
import dev.uplift.activities.nats.NatsSettings;
import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.activities.trust.CommandKeys;
import dev.uplift.api.security.TokenSecret;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.workflows.device.Pace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// All that the server is told. `docs/operating.md` has the table of the variables.
///
/// @param temporalUi base of links into Temporal Web UI; empty where there is none
/// @param enrolment empty where this server lets no hosts in
/// @param joins how often hosts may ask to be let in
public record Settings(
    Set<ServerRole> roles,
    DatabaseSettings database,
    WiringSettings wiring,
    String temporalUi,
    Path artifacts,
    TokenSecret tokens,
    Pace pace,
    Optional<EnrolmentSettings> enrolment,
    JoinLimits joins) {

  /// Reads the environment, and the files that it names.
  ///
  /// @throws WrongSettings with everything that is wrong
  public static Settings of(Map<String, String> environment) throws WrongSettings {
    return of(new Variables(environment));
  }

  private static Settings of(Variables in) throws WrongSettings {
    var roles = in.value("UPLIFT_ROLES", "api,worker", ServerRole::parse);
    var url = in.text("UPLIFT_DATABASE_URL");
    var user = in.text("UPLIFT_DATABASE_USER", "uplift");
    var password = in.optionalFile("UPLIFT_DATABASE_PASSWORD_FILE", Files::text);
    var database =
        in.made(
            "UPLIFT_DATABASE_URL",
            () -> new DatabaseSettings(url.get(), user.get(), password.or("")));
    var pace = PaceSettings.read(in);
    var wiring = wiring(in, pace);
    var temporalUi = in.text("UPLIFT_TEMPORAL_UI", "");
    var artifacts = in.file("UPLIFT_ARTIFACTS_FOLDER", folder -> folder);
    var tokens = in.file("UPLIFT_JWT_SECRET_FILE", file -> new TokenSecret(Files.text(file)));
    var enrolment = HostSettings.enrolment(in);
    var joins = JoinLimits.read(in);
    in.done();
    return new Settings(
        roles.get(),
        database.get(),
        wiring.get(),
        temporalUi.get().replaceFirst("/+$", ""),
        artifacts.get(),
        tokens.get(),
        pace.get(),
        enrolment.find(),
        joins.get());
  }

  private static Variables.Value<WiringSettings> wiring(Variables in, Variables.Value<Pace> pace) {
    var target = in.text("UPLIFT_TEMPORAL_TARGET", "127.0.0.1:7233");
    var namespace = in.text("UPLIFT_TEMPORAL_NAMESPACE", "default");
    var nats = nats(in);
    var commandKeys = in.file("UPLIFT_COMMAND_KEYS_FOLDER", CommandKeys::in);
    var publicUrl = in.value("UPLIFT_PUBLIC_URL", "", Settings::publicUrl);
    var secret = in.file("UPLIFT_ARTIFACTS_SECRET_FILE", Files::secrets);
    var silentAfter = duration(in, "UPLIFT_SILENT_AFTER", WiringSettings.SILENT_AFTER);
    var rolloutPace = PaceSettings.rollouts(in);
    var reconcileEvery = duration(in, "UPLIFT_RECONCILE_EVERY", WiringSettings.RECONCILE_EVERY);
    return in.made(
        "UPLIFT_PUBLIC_URL",
        () ->
            new WiringSettings(
                nats.get(),
                new TemporalSettings(target.get(), namespace.get()),
                commandKeys.get(),
                new ArtifactAddresses(publicUrl.get(), secret.get()),
                silentAfter.get(),
                reconcileEvery.get(),
                pace.get(),
                rolloutPace.get()));
  }

  private static Variables.Value<Duration> duration(Variables in, String name, Duration usual) {
    return in.value(name, usual.toString(), PaceSettings::duration);
  }

  private static Variables.Value<NatsSettings> nats(Variables in) {
    var url = in.text("UPLIFT_NATS_URL", "nats://127.0.0.1:4222");
    var credentials = in.optionalFile("UPLIFT_NATS_CREDENTIALS_FILE", Files::readable);
    var authorities = in.optionalFile("UPLIFT_NATS_CA_FILE", Files::readable);
    var replicas = in.value("UPLIFT_NATS_REPLICAS", "1", Settings::replicas);
    return in.made(
        "UPLIFT_NATS_URL",
        () -> new NatsSettings(url.get(), credentials.find(), authorities.find(), replicas.get()));
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
  public boolean isApi() {
    return roles.contains(ServerRole.API);
  }

  /// Whether this process carries upgrades out.
  public boolean isWorker() {
    return roles.contains(ServerRole.WORKER);
  }
}
