package dev.uplift.api.settings;

import static java.util.stream.Collectors.joining;

import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.api.security.IssuerTokens;
import dev.uplift.api.security.OidcIssuers;
import dev.uplift.api.security.SecretSignedTokens;
import dev.uplift.api.security.TokenSecret;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.services.diagnosis.DiagnosisCheck;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.services.enrolment.EnrolmentSettings;
import dev.uplift.services.enrolment.RevocationPublisher;
import dev.uplift.services.messaging.NatsSettings;
import dev.uplift.services.scheduling.FileWatcher;
import dev.uplift.store.Database;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Uses secrets that are exchanged in their files, without a restart: those of bearer tokens and of artifact URLs, the
/// list of issuers, the API key and the certificates for Temporal, the password of the database, and what enrolment
/// has. Credentials and authorities of NATS are read for each login anyway, so that they are only checked here.
@Singleton
public final class SecretReloader implements DiagnosisCheck {
  private static final String PART = "secrets";
  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private final FileWatcher watcher = new FileWatcher(INTERVAL);
  private final Settings settings;
  private final Database database;
  private final SecretSignedTokens tokens;
  private final IssuerTokens issuerTokens;
  private final Optional<RevocationPublisher> enrolment;

  /// @param enrolment of a server that hosts may join
  SecretReloader(
      Settings settings,
      Database database,
      SecretSignedTokens tokens,
      IssuerTokens issuerTokens,
      Optional<RevocationPublisher> enrolment) {
    this.settings = settings;
    this.database = database;
    this.tokens = tokens;
    this.issuerTokens = issuerTokens;
    this.enrolment = enrolment;
  }

  /// Starts to watch the files. Once.
  public void start() {
    SecretFiles files = settings.secretFiles();
    files
        .tokenSecret()
        .ifPresent(file ->
            watch("secret of bearer tokens", file, () -> tokens.replace(TokenSecret.of(SettingsFiles.text(file)))));
    files
        .databasePassword()
        .ifPresent(file ->
            watch("password of the database", file, () -> database.changePassword(SettingsFiles.textOfSecret(file))));
    files
        .issuers()
        .ifPresent(file -> watch("list of issuers", file, () -> issuerTokens.replace(OidcIssuers.read(file))));
    Path artifacts = files.artifacts();
    watch("secret of artifact URLs", artifacts, () -> replaceArtifactSecret(SettingsFiles.secrets(artifacts)));
    watchTemporal(files);
    NatsSettings nats = settings.nats();
    nats.certificateAuthorities().ifPresent(file -> watch("authorities for NATS", file, nats::checkAuthorities));
    nats.credentialsFile().ifPresent(file -> watch("credentials for NATS", file, () -> Credentials.read(file)));
    enrolment.ifPresent(publisher -> watchEnrolment(publisher, files.hostAuthorities()));
  }

  private void replaceArtifactSecret(String secrets) {
    settings.artifactUrls().replace(secrets);
    settings.requestSeal().replace(secrets);
    settings.secretEncryption().replace(secrets);
  }

  private void watchTemporal(SecretFiles files) {
    TemporalSettings temporal = settings.temporal();
    temporal
        .apiKey()
        .ifPresent(key ->
            files
                .temporalApiKey()
                .ifPresent(
                    file -> watch("API key for Temporal", file, () -> key.replace(SettingsFiles.textOfSecret(file)))));
    temporal
        .tls()
        .filter(tls -> !tls.files().isEmpty())
        .ifPresent(tls -> watcher.watch("certificates for Temporal", tls.files(), tls::reload));
  }

  /// All at once, because keys, credentials and claims belong together.
  private void watchEnrolment(RevocationPublisher publisher, Optional<Path> authorities) {
    Optional<Path> credentials = settings.nats().credentialsFile();
    watcher.watch(
        "files of enrolment",
        Stream.of(publisher.settings().files().stream(), authorities.stream(), credentials.stream())
            .flatMap(each -> each)
            .toList(),
        () -> {
          String certificates = authorities.isPresent() ? SettingsFiles.textOfSecret(authorities.get()) : "";
          EnrolmentSettings next = publisher.settings().readAgain(certificates);
          publisher.replace(credentials.isPresent() ? next.requireAccepted(credentials.get()) : next);
        });
  }

  private void watch(String what, Path file, FileWatcher.Reader reader) {
    watcher.watch(what, List.of(file), reader);
  }

  @Override
  public List<DiagnosisFinding> diagnose() {
    List<FileWatcher.Unusable> unusable = watcher.unusable();
    return unusable.isEmpty()
        ? List.of(DiagnosisFinding.ok(PART, "%d secrets are as their files have them".formatted(watcher.size())))
        : unusable.stream().map(SecretReloader::finding).toList();
  }

  private static DiagnosisFinding finding(FileWatcher.Unusable unusable) {
    return DiagnosisFinding.warning(
        PART,
        "%s: what its file has cannot be used, so the one before stays in use: %s"
            .formatted(unusable.what(), unusable.cause()),
        "mend " + unusable.files().stream().map(Path::toString).collect(joining(", ")));
  }

  @PreDestroy
  void close() {
    watcher.close();
  }
}
