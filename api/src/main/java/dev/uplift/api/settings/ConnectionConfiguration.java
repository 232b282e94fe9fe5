package dev.uplift.api.settings;

import dev.uplift.services.messaging.StreamPlacement;
import dev.uplift.services.messaging.StreamSizes;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.DatabaseTimeouts;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// How this server reaches the database, Temporal and NATS, as groups of [ServerConfiguration].
interface ConnectionConfiguration {
  /// The tables.
  @Introspected
  @ConfigurationProperties("uplift.database")
  record DatabaseConfiguration(
      @SettingDescription("`jdbc:h2:file:…` or `jdbc:postgresql:…`")
          @Pattern(regexp = "jdbc:(h2|postgresql):.*", message = "expected jdbc:h2:… or jdbc:postgresql:…")
          String url,
      @SettingDescription("user of the database") @Bindable(defaultValue = "uplift") String user,
      @SettingDescription(value = "file with the password of that user", otherwise = "no password")
          Optional<Path> passwordFile,
      @SettingDescription("connections that this server keeps open, 2 to 200")
          @Bindable(defaultValue = "20")
          @Min(value = 2, message = "expected 2 to 200")
          @Max(value = 200, message = "expected 2 to 200")
          int connections,
      @SettingDescription("how long to wait for a connection") @Bindable(defaultValue = "PT5S")
          Duration connectionTimeout,
      @SettingDescription("how long to wait for a lock before a transaction is tried again")
          @Bindable(defaultValue = "PT10S")
          Duration lockTimeout,
      @SettingDescription("PostgreSQL: how long a statement may take") @Bindable(defaultValue = "PT25S")
          Duration statementTimeout,
      @SettingDescription(
              "PostgreSQL: after this long between two statements it ends a transaction and releases its locks")
          @Bindable(defaultValue = "PT5S")
          Duration idleInTransactionTimeout) {

    DatabaseSettings settings(String password) {
      return new DatabaseSettings(
          url,
          user,
          password,
          connections,
          new DatabaseTimeouts(connectionTimeout, lockTimeout, statementTimeout, idleInTransactionTimeout));
    }
  }

  /// Temporal.
  @Introspected
  @ConfigurationProperties("uplift.temporal")
  record TemporalConfiguration(
      @SettingDescription("host and port of Temporal") @Bindable(defaultValue = "127.0.0.1:7233") String address,
      @SettingDescription("namespace of Temporal") @Bindable(defaultValue = "default") String namespace,
      @SettingDescription(value = "base of links into Temporal Web UI", otherwise = "no links") Optional<String> uiUrl,
      @SettingDescription(value = "certificate authorities (PEM) of Temporal", otherwise = "those of the JVM")
          Optional<Path> caFile,
      @SettingDescription(value = "certificate of this server for Temporal (PEM)", otherwise = "none")
          Optional<Path> certificateFile,
      @SettingDescription(value = "private key of that certificate (PEM, PKCS#8)", otherwise = "none")
          Optional<Path> keyFile,
      @SettingDescription(value = "file with the API key for Temporal", otherwise = "none") Optional<Path> apiKeyFile,
      @SettingDescription(
              "whether a Temporal on another machine is reached without TLS: `no`, or "
                  + "`on-a-trusted-network`, whose machines can then upgrade every host")
          @Bindable(defaultValue = "no")
          @Pattern(regexp = "no|" + UNENCRYPTED, message = "expected no or " + UNENCRYPTED)
          String unencrypted) {

    private static final java.util.regex.Pattern LOOPBACK =
        java.util.regex.Pattern.compile("(localhost|127(\\.\\d+){3}|\\[::1])(:\\d+)?");

    static final String UNENCRYPTED = "on-a-trusted-network";

    /// Returns whether the connection is encrypted: it is as soon as there is anything to prove or to check.
    boolean hasTls() {
      return Stream.of(caFile, certificateFile, keyFile, apiKeyFile).anyMatch(Optional::isPresent);
    }

    /// Returns what is missing for a safe connection; empty if nothing is.
    Optional<String> fault() {
      if (certificateFile.isPresent() != keyFile.isPresent()) {
        return Optional.of(
            "expected UPLIFT_TEMPORAL_CERTIFICATE_FILE and UPLIFT_TEMPORAL_KEY_FILE together, found one of them");
      }
      return hasTls() || unencrypted.equals(UNENCRYPTED) || LOOPBACK.matcher(address).matches()
          ? Optional.empty()
          : Optional.of(
              "UPLIFT_TEMPORAL_ADDRESS: %s is another machine, and reaching Temporal is to command every host; expected "
                      .formatted(address)
                  + "TLS by UPLIFT_TEMPORAL_CA_FILE, UPLIFT_TEMPORAL_CERTIFICATE_FILE with UPLIFT_TEMPORAL_KEY_FILE, or "
                  + "UPLIFT_TEMPORAL_API_KEY_FILE; or UPLIFT_TEMPORAL_UNENCRYPTED="
                  + UNENCRYPTED);
    }
  }

  /// NATS, as this server reaches it.
  @Introspected
  @ConfigurationProperties("uplift.nats")
  record NatsConfiguration(
      @SettingDescription("one URL or several, separated by commas") @Bindable(defaultValue = "nats://127.0.0.1:4222")
          String url,
      @SettingDescription(value = "credentials to log in with; read again at every login", otherwise = "no login")
          Optional<Path> credentialsFile,
      @SettingDescription(value = "certificate authorities (PEM) of NATS", otherwise = "those of the JVM")
          Optional<Path> caFile,
      @SettingDescription("replicas of streams that the server creates, 1 to 5")
          @Bindable(defaultValue = "1")
          @Min(value = 1, message = "expected 1 to 5")
          @Max(value = 5, message = "expected 1 to 5")
          int replicas,
      @SettingDescription(
              value = "name of the NATS cluster in which the server creates streams",
              otherwise = "the one it is connected to")
          Optional<String> placementCluster,
      @SettingDescription(
              value = "tags of the nats-servers on which the server creates streams, separated by commas",
              otherwise = "any of them")
          Optional<String> placementTags,
      @SettingDescription("size of the stream `CMD` when the server creates it, in MiB")
          @Bindable(defaultValue = "4096")
          @Min(value = 64, message = "expected MiB, at least 64")
          int commandStreamMib,
      @SettingDescription("size of the stream `EVT` when the server creates it, in MiB")
          @Bindable(defaultValue = "20480")
          @Min(value = 64, message = "expected MiB, at least 64")
          int eventStreamMib,
      @SettingDescription("size of the stream `STATE` when the server creates it, in MiB")
          @Bindable(defaultValue = "2048")
          @Min(value = 64, message = "expected MiB, at least 64")
          int infoStreamMib,
      @SettingDescription("size of the stream `TRUST` when the server creates it, in MiB")
          @Bindable(defaultValue = "256")
          @Min(value = 64, message = "expected MiB, at least 64")
          int trustStreamMib) {

    private static final java.util.regex.Pattern COMMA = java.util.regex.Pattern.compile(",");

    StreamPlacement placement() {
      List<String> tags =
          placementTags.stream()
              .flatMap(COMMA::splitAsStream)
              .map(String::strip)
              .filter(tag -> !tag.isEmpty())
              .toList();
      return new StreamPlacement(replicas, placementCluster, tags);
    }

    StreamSizes streamSizes() {
      return StreamSizes.ofMebibytes(commandStreamMib, eventStreamMib, infoStreamMib, trustStreamMib);
    }
  }
}
