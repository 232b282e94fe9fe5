package dev.uplift.api.settings;

import dev.uplift.activities.temporal.RequestSeal;
import dev.uplift.activities.temporal.StepTimeoutResolver;
import dev.uplift.activities.temporal.TemporalApiKey;
import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.activities.temporal.TemporalTls;
import dev.uplift.activities.temporal.TemporalTls.ClientCertificate;
import dev.uplift.api.security.OidcIssuers;
import dev.uplift.api.security.TokenRules;
import dev.uplift.api.security.TokenSecret;
import dev.uplift.api.settings.ConnectionConfiguration.DatabaseConfiguration;
import dev.uplift.api.settings.ConnectionConfiguration.NatsConfiguration;
import dev.uplift.api.settings.ConnectionConfiguration.TemporalConfiguration;
import dev.uplift.api.settings.ServerConfiguration.ArchiveConfiguration;
import dev.uplift.api.settings.ServerConfiguration.ArtifactsConfiguration;
import dev.uplift.api.settings.ServerConfiguration.CommandConfiguration;
import dev.uplift.api.settings.ServerConfiguration.EnrolmentConfiguration;
import dev.uplift.api.settings.ServerConfiguration.JwtConfiguration;
import dev.uplift.api.settings.ServerConfiguration.LogConfiguration;
import dev.uplift.api.settings.ServerConfiguration.OidcConfiguration;
import dev.uplift.api.settings.ServerConfiguration.PresenceConfiguration;
import dev.uplift.api.settings.ServerConfiguration.ReconcileConfiguration;
import dev.uplift.api.settings.ServerConfiguration.RequestsConfiguration;
import dev.uplift.api.settings.ServerConfiguration.RolloutsConfiguration;
import dev.uplift.api.settings.ServerConfiguration.TimeoutsConfiguration;
import dev.uplift.api.settings.ServerConfiguration.TracingConfiguration;
import dev.uplift.api.settings.ServerConfiguration.WebhooksConfiguration;
import dev.uplift.services.ServerIntervals;
import dev.uplift.services.archive.ArchiveSettings;
import dev.uplift.services.artifacts.ArtifactUrlSigner;
import dev.uplift.services.enrolment.EnrolmentSettings;
import dev.uplift.services.messaging.NatsSettings;
import dev.uplift.services.tracing.TracingSettings;
import dev.uplift.services.trust.CommandKeys;
import dev.uplift.services.webhook.SecretEncryption;
import dev.uplift.services.webhook.WebhookSettings;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.workflows.device.UpgradeTimeouts;
import dev.uplift.workflows.rollout.RolloutTimeouts;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The settings of the server, with the contents of the files that they name. [ServerConfiguration] and
/// [ConnectionConfiguration] list them.
///
/// @param enrolment empty where hosts cannot join this server
/// @param joinRateLimits how many hosts may ask to join
/// @param certificateFiles the files with certificates (PEM) that there may be, by their use
public record Settings(
    Set<ServerRole> roles,
    DatabaseSettings database,
    TemporalSettings temporal,
    RequestSeal requestSeal,
    NatsSettings nats,
    CommandKeys commandKeys,
    ArtifactUrlSigner artifactUrls,
    Path artifactsFolder,
    ArtifactLimits artifactLimits,
    TokenSecret tokenSecret,
    TokenRules tokenRules,
    OidcIssuers oidcIssuers,
    ServerIntervals intervals,
    UpgradeTimeouts upgradeTimeouts,
    StepTimeoutResolver.Bound stepTimeoutBound,
    RolloutTimeouts rolloutTimeouts,
    Optional<EnrolmentSettings> enrolment,
    JoinRateLimits joinRateLimits,
    RequestLimits requestLimits,
    ArchiveSettings archive,
    Map<String, Optional<Path>> certificateFiles,
    TracingSettings tracing,
    WebhookSettings webhooks,
    SecretEncryption secretEncryption,
    SecretFiles secretFiles) {
  /// Reads the environment, and the files that it names.
  ///
  /// @throws InvalidSettings with everything that is wrong
  public static Settings of(Map<String, String> environment) throws InvalidSettings {
    var in = new SettingsReader(environment);
    var server = in.read(ServerConfiguration.class);
    var database = in.read(DatabaseConfiguration.class);
    var temporal = in.read(TemporalConfiguration.class);
    var nats = in.read(NatsConfiguration.class);
    var command = in.read(CommandConfiguration.class);
    var artifacts = in.read(ArtifactsConfiguration.class);
    var requests = in.read(RequestsConfiguration.class);
    var jwt = in.read(JwtConfiguration.class);
    var oidc = in.read(OidcConfiguration.class);
    var enrolment = in.read(EnrolmentConfiguration.class);
    var presence = in.read(PresenceConfiguration.class);
    var reconcile = in.read(ReconcileConfiguration.class);
    var archive = in.read(ArchiveConfiguration.class);
    var rollouts = in.read(RolloutsConfiguration.class);
    var timeouts = in.read(TimeoutsConfiguration.class);
    var tracing = in.read(TracingConfiguration.class);
    var webhooks = in.read(WebhooksConfiguration.class);
    // Logback reads it itself; here it is only checked.
    Optional<LogConfiguration> _ = in.read(LogConfiguration.class);

    var password = readPassword(in, database);
    in.reject(temporal.flatMap(TemporalConfiguration::fault));
    in.reject(archive.flatMap(ArchiveConfiguration::fault));
    in.reject(timeouts.flatMap(TimeoutsConfiguration::fault));
    in.reject(tracing.flatMap(TracingConfiguration::fault));
    in.reject(webhooks.flatMap(WebhooksConfiguration::fault));
    var temporalKey =
        in.file(
            TemporalConfiguration.class,
            "apiKeyFile",
            temporal.flatMap(TemporalConfiguration::apiKeyFile),
            SettingsFiles::text);
    Optional<TemporalTls> temporalTls = temporal.flatMap(found -> readTls(in, found));
    var natsCredentials =
        in.file(
            NatsConfiguration.class,
            "credentialsFile",
            nats.flatMap(NatsConfiguration::credentialsFile),
            SettingsFiles::readable);
    var natsAuthorities =
        in.file(NatsConfiguration.class, "caFile", nats.flatMap(NatsConfiguration::caFile), SettingsFiles::readable);
    var commandKeys =
        in.file(
            CommandConfiguration.class,
            "keysFolder",
            command.map(CommandConfiguration::keysFolder),
            CommandKeys::readFrom);
    var artifactSecret =
        in.file(
            ArtifactsConfiguration.class,
            "secretFile",
            artifacts.map(ArtifactsConfiguration::secretFile),
            SettingsFiles::secrets);
    var tokenSecret =
        in.file(
            JwtConfiguration.class,
            "secretFile",
            jwt.flatMap(JwtConfiguration::secretFile),
            file -> TokenSecret.of(SettingsFiles.text(file)));
    var oidcIssuers =
        in.file(
            OidcConfiguration.class, "issuersFile", oidc.flatMap(OidcConfiguration::issuersFile), OidcIssuers::read);
    in.reject(
        jwt.filter(tokens -> tokens.secretFile().isEmpty() && oidc.flatMap(OidcConfiguration::issuersFile).isEmpty())
            .map(_ -> "UPLIFT_JWT_SECRET_FILE is not set, nor UPLIFT_OIDC_ISSUERS_FILE: no token would be accepted"));
    var hostAuthorities =
        in.file(
            EnrolmentConfiguration.class,
            "caFile",
            enrolment.flatMap(EnrolmentConfiguration::caFile),
            SettingsFiles::text);
    Optional<String> serverUrl =
        enrolment.flatMap(EnrolmentConfiguration::serverUrl).or(() -> server.map(ServerConfiguration::publicUrl));
    Optional<String> natsUrl =
        enrolment.flatMap(EnrolmentConfiguration::natsUrl).or(() -> nats.map(NatsConfiguration::url));
    // An address that is invalid has been reported.
    var keysFolder =
        enrolment.flatMap(EnrolmentConfiguration::keysFolder).filter(_ -> serverUrl.isPresent() && natsUrl.isPresent());
    var enrolmentKeys =
        in.file(
            EnrolmentConfiguration.class,
            "keysFolder",
            keysFolder,
            folder -> {
              EnrolmentSettings read =
                  EnrolmentSettings.read(
                      folder, serverUrl.orElseThrow(), natsUrl.orElseThrow(), hostAuthorities.orElse(""));
              return natsCredentials.isPresent() ? read.requireAccepted(natsCredentials.get()) : read;
            });
    in.throwIfInvalid();

    return new Settings(
        server.orElseThrow().roles(),
        database.orElseThrow().settings(password.orElse("")),
        new TemporalSettings(
            temporal.orElseThrow().address(),
            temporal.orElseThrow().namespace(),
            temporal.orElseThrow().uiUrl().orElse("").replaceFirst("/+$", ""),
            temporalTls,
            temporalKey.map(TemporalApiKey::new)),
        new RequestSeal(artifactSecret.orElseThrow()),
        new NatsSettings(
            nats.orElseThrow().url(),
            natsCredentials,
            natsAuthorities,
            nats.orElseThrow().placement(),
            nats.orElseThrow().streamSizes()),
        commandKeys.orElseThrow(),
        new ArtifactUrlSigner(server.orElseThrow().publicUrl(), artifactSecret.orElseThrow()),
        artifacts.orElseThrow().folder(),
        artifacts.orElseThrow().limits(),
        tokenSecret.orElse(TokenSecret.NONE),
        jwt.orElseThrow().rules(),
        oidcIssuers.orElse(OidcIssuers.NONE),
        new ServerIntervals(
            presence.orElseThrow().silentAfter(),
            reconcile.orElseThrow().interval(),
            presence.orElseThrow().outageRule()),
        timeouts.orElseThrow().upgradeTimeouts(),
        timeouts.orElseThrow().bound(),
        rollouts.orElseThrow().timeouts(),
        enrolmentKeys,
        enrolment.orElseThrow().rateLimits(),
        new RequestLimits(requests.orElseThrow().timeout()),
        archive.orElseThrow().settings(),
        certificateFiles(temporal.orElseThrow(), nats.orElseThrow(), enrolment.orElseThrow()),
        tracing.orElseThrow().settings(),
        webhooks.orElseThrow().settings(),
        new SecretEncryption(artifactSecret.orElseThrow()),
        new SecretFiles(
            database.flatMap(DatabaseConfiguration::passwordFile),
            temporal.flatMap(TemporalConfiguration::apiKeyFile),
            jwt.flatMap(JwtConfiguration::secretFile),
            oidc.flatMap(OidcConfiguration::issuersFile),
            artifacts.orElseThrow().secretFile(),
            enrolment.orElseThrow().caFile()));
  }

  private static Map<String, Optional<Path>> certificateFiles(
      TemporalConfiguration temporal, NatsConfiguration nats, EnrolmentConfiguration enrolment) {
    return Map.of(
        "temporal-authority", temporal.caFile(),
        "temporal-client", temporal.certificateFile(),
        "nats-authority", nats.caFile(),
        "host-authority", enrolment.caFile());
  }

  /// Reads what the database takes; the other settings may be missing.
  ///
  /// @throws InvalidSettings with everything that is wrong
  public static DatabaseSettings databaseOf(Map<String, String> environment) throws InvalidSettings {
    var in = new SettingsReader(environment);
    var database = in.read(DatabaseConfiguration.class);
    var password = readPassword(in, database);
    in.throwIfInvalid();
    return database.orElseThrow().settings(password.orElse(""));
  }

  private static Optional<String> readPassword(SettingsReader in, Optional<DatabaseConfiguration> database) {
    return in.file(
        DatabaseConfiguration.class,
        "passwordFile",
        database.flatMap(DatabaseConfiguration::passwordFile),
        SettingsFiles::text);
  }

  private static Optional<TemporalTls> readTls(SettingsReader in, TemporalConfiguration temporal) {
    Optional<TemporalTls> withoutCertificate =
        in.file(
            TemporalConfiguration.class,
            "caFile",
            temporal.caFile(),
            file -> TemporalTls.read(Optional.of(file), Optional.empty()));
    Optional<ClientCertificate> own =
        temporal.certificateFile().flatMap(chain -> temporal.keyFile().map(key -> new ClientCertificate(chain, key)));
    if (own.isPresent()) {
      return in.file(
          TemporalConfiguration.class, "keyFile", temporal.keyFile(), _ -> TemporalTls.read(temporal.caFile(), own));
    }
    return withoutCertificate.or(() ->
        in.file(
            TemporalConfiguration.class,
            "apiKeyFile",
            temporal.apiKeyFile(),
            _ -> TemporalTls.read(Optional.empty(), Optional.empty())));
  }

  /// These settings, each to be injected by its type. Those of enrolment are there if hosts can join this server.
  public Object[] beans() {
    return Stream.concat(
            Stream.of(
                this,
                temporal,
                requestSeal,
                nats,
                commandKeys,
                artifactUrls,
                tokenSecret,
                tokenRules,
                oidcIssuers,
                intervals,
                upgradeTimeouts,
                stepTimeoutBound,
                rolloutTimeouts,
                joinRateLimits,
                requestLimits,
                archive,
                tracing,
                webhooks,
                secretEncryption),
            enrolment.filter(_ -> hasApiRole()).stream())
        .toArray();
  }

  /// A table of all settings, one a line: variable, description, default.
  public static String help() {
    return SettingsReader.describeAll().stream()
        .map(setting ->
            "%s%n    %s (%s)"
                .formatted(
                    setting.variable(),
                    setting.text(),
                    setting.standard().map(text -> "default: " + text).orElse("required")))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  /// The same as rows of a table in Markdown, as `docs/operating.md` has it.
  static String markdown() {
    return SettingsReader.describeAll().stream()
        .map(setting ->
            "| `%s` | %s | %s |"
                .formatted(
                    setting.variable(), setting.text(), setting.standard().map(Settings::cell).orElse("required")))
        .collect(Collectors.joining("\n", "| variable | meaning | default |\n|---|---|---|\n", "\n"));
  }

  private static String cell(String standard) {
    return standard.contains("`") || standard.contains(" ") ? standard : "`" + standard + "`";
  }

  /// Returns whether this process serves REST.
  public boolean hasApiRole() {
    return roles.contains(ServerRole.API);
  }

  /// Returns whether this process executes upgrades.
  public boolean hasWorkerRole() {
    return roles.contains(ServerRole.WORKER);
  }
}
