package dev.uplift.api.settings;

import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.api.security.SecretSignedTokens;
import dev.uplift.api.security.TokenSecret;
import dev.uplift.services.scheduling.FileWatcher;
import dev.uplift.store.Database;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Uses secrets that are exchanged in their files, without a restart: those of bearer tokens, the API key and the
/// certificates for Temporal, and the password of the database. Credentials of NATS are read for each login anyway.
@Singleton
public final class SecretReloader {
  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private final FileWatcher watcher = new FileWatcher(INTERVAL);
  private final Settings settings;
  private final Database database;
  private final SecretSignedTokens tokens;

  SecretReloader(Settings settings, Database database, SecretSignedTokens tokens) {
    this.settings = settings;
    this.database = database;
    this.tokens = tokens;
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

  private void watch(String what, Path file, FileWatcher.Reader reader) {
    watcher.watch(what, List.of(file), reader);
  }

  @PreDestroy
  void close() {
    watcher.close();
  }
}
