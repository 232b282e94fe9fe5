package dev.uplift.api.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.api.security.TokenSecret;
import dev.uplift.api.testing.ServerHome;
import dev.uplift.fleet.Step;
import dev.uplift.services.archive.ArchiveSettings;
import dev.uplift.workflows.device.UpgradeTimeouts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SettingsTest {
  private final ServerHome home = new ServerHome();

  @AfterEach
  void clean() {
    home.close();
  }

  @Test
  void missingSettingsHaveDefaults() throws Exception {
    Settings settings = Settings.of(home.environment());

    assertThat(settings.roles()).containsExactlyInAnyOrder(ServerRole.API, ServerRole.WORKER);
    assertThat(settings.upgradeTimeouts()).isEqualTo(UpgradeTimeouts.DEFAULTS);
    assertThat(settings.intervals().silentAfter()).isEqualTo(Duration.ofSeconds(100));
  }

  @Test
  void rolesAndTimeoutsCanBeSet() throws Exception {
    Map<String, String> environment = home.environment();
    environment.put("UPLIFT_ROLES", "worker");
    environment.put("UPLIFT_TIMEOUTS_AWAIT_HEARTBEAT", "PT30S");
    environment.put("UPLIFT_TIMEOUTS_RESEND_INTERVAL", "PT2H");
    environment.put("UPLIFT_PRESENCE_SILENT_AFTER", "PT5S");

    Settings settings = Settings.of(environment);

    assertThat(settings.hasWorkerRole()).isTrue();
    assertThat(settings.hasApiRole()).isFalse();
    assertThat(settings.upgradeTimeouts().stepTimeout())
        .containsEntry(Step.AWAIT_HEARTBEAT, Duration.ofSeconds(30))
        .containsEntry(Step.REBOOT, Duration.ofMinutes(15));
    assertThat(settings.upgradeTimeouts().maxResendInterval()).isEqualTo(Duration.ofHours(2));
    assertThat(settings.intervals().silentAfter()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void nothingIsArchivedUnlessThereIsAFolderNorBeforeItsTime() throws Exception {
    Map<String, String> environment = home.environment();
    assertThat(Settings.of(environment).archive()).isEqualTo(ArchiveSettings.NONE);

    environment.put("UPLIFT_ARCHIVE_FOLDER", "/var/lib/archive");
    environment.put("UPLIFT_ARCHIVE_AFTER", "P90D");
    assertThat(Settings.of(environment).archive())
        .isEqualTo(
            new ArchiveSettings(Optional.of(Path.of("/var/lib/archive")), Duration.ofDays(90), Duration.ofDays(1095)));

    environment.put("UPLIFT_ARCHIVE_AFTER", "PT1H");
    assertThatThrownBy(() -> Settings.of(environment))
        .hasMessage("UPLIFT_ARCHIVE_AFTER: expected at least P30D, found PT1H");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UPLIFT_TIMEOUTS_AWAIT_HEARTBEAT", "UPLIFT_TIMEOUTS_LONGEST"})
  void noStepMayTakeLongerThanHostsAccept(String setting) throws Exception {
    Map<String, String> environment = home.environment();
    environment.put(setting, "P7D");
    Settings.of(environment);

    environment.put(setting, "P7DT1S");
    assertThatThrownBy(() -> Settings.of(environment)).hasMessage(setting + ": expected at most P7D, found PT168H1S");
  }

  @Test
  void aTemporalOnAnotherMachineIsReachedByTlsUnlessASettingSaysOtherwise() throws Exception {
    Map<String, String> environment = home.environment();
    environment.put("UPLIFT_TEMPORAL_ADDRESS", "temporal.example.com:7233");
    assertThatThrownBy(() -> Settings.of(environment))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageStartingWith("UPLIFT_TEMPORAL_ADDRESS: temporal.example.com:7233 is another machine")
        .hasMessageContaining("UPLIFT_TEMPORAL_CA_FILE")
        .hasMessageEndingWith("or UPLIFT_TEMPORAL_UNENCRYPTED=on-a-trusted-network");

    environment.put("UPLIFT_TEMPORAL_UNENCRYPTED", "yes");
    assertThatThrownBy(() -> Settings.of(environment))
        .hasMessage("UPLIFT_TEMPORAL_UNENCRYPTED: expected no or on-a-trusted-network");

    environment.put("UPLIFT_TEMPORAL_UNENCRYPTED", "on-a-trusted-network");
    assertThat(Settings.of(environment).temporal().tls()).isEmpty();

    environment.remove("UPLIFT_TEMPORAL_UNENCRYPTED");
    environment.put("UPLIFT_TEMPORAL_API_KEY_FILE", home.path("tokens.secret"));
    assertThat(Settings.of(environment).temporal().tls()).isPresent();
    assertThat(Settings.of(environment).temporal().apiKey()).isPresent();
  }

  @Test
  void aCertificateForTemporalNeedsItsKey() {
    Map<String, String> environment = home.environment();
    environment.put("UPLIFT_TEMPORAL_CERTIFICATE_FILE", home.path("tokens.secret"));

    assertThatThrownBy(() -> Settings.of(environment))
        .hasMessage(
            "expected UPLIFT_TEMPORAL_CERTIFICATE_FILE and UPLIFT_TEMPORAL_KEY_FILE together, found one of them");
  }

  @Test
  void aFileThatIsNoCertificateAuthorityIsNamed() {
    Map<String, String> environment = home.environment();
    environment.put("UPLIFT_TEMPORAL_CA_FILE", home.path("tokens.secret"));

    assertThatThrownBy(() -> Settings.of(environment))
        .hasMessageStartingWith("UPLIFT_TEMPORAL_CA_FILE: " + home.path("tokens.secret"));
  }

  @Test
  void allMissingSettingsAreReportedAtOnce() {
    assertThatThrownBy(() -> Settings.of(Map.of()))
        .isInstanceOf(InvalidSettings.class)
        .hasMessage(
            """
            UPLIFT_PUBLIC_URL is not set
            UPLIFT_DATABASE_URL is not set
            UPLIFT_COMMAND_KEYS_FOLDER is not set
            UPLIFT_ARTIFACTS_SECRET_FILE is not set
            UPLIFT_ARTIFACTS_FOLDER is not set
            UPLIFT_JWT_SECRET_FILE is not set, nor UPLIFT_OIDC_ISSUERS_FILE: no token would be accepted\
            """);
  }

  @Test
  void tokensAreOfIssuersOnlyWhereThereIsNoSecret() throws Exception {
    Map<String, String> environment = home.environment();
    environment.remove("UPLIFT_JWT_SECRET_FILE");
    environment.put("UPLIFT_OIDC_ISSUERS_FILE", home.path("issuers.json"));
    Files.writeString(
        Path.of(home.path("issuers.json")),
        """
        [{"name": "corp", "issuer": "https://login.example.com", "audience": "uplift", "tenant": "acme"}]\
        """);

    assertThat(Settings.of(environment).tokenSecret()).isEqualTo(TokenSecret.NONE);
    assertThat(Settings.of(environment).oidcIssuers().list()).hasSize(1);

    Files.writeString(Path.of(home.path("issuers.json")), "[{\"issuer\": \"login.example.com\"}]");
    assertThatThrownBy(() -> Settings.of(environment))
        .hasMessageStartingWith("UPLIFT_OIDC_ISSUERS_FILE: ")
        .hasMessageContaining("expected an https address");
  }

  @Test
  void allInvalidSettingsAreReportedByName() throws Exception {
    Map<String, String> environment = home.environment();
    Files.writeString(Path.of(home.path("tokens.secret")), "short");
    environment.put("UPLIFT_ROLES", "api,cook");
    environment.put("UPLIFT_TIMEOUTS_REBOOT", "15m");
    environment.put("UPLIFT_TIMEOUTS_REBOT", "PT15M");
    environment.put("UPLIFT_COMMAND_KEYS_FOLDER", "/nowhere/keys");
    environment.put("UPLIFT_PUBLIC_URL", "uplift.example.com");
    environment.put("UPLIFT_HOME", "a variable of others");

    assertThatThrownBy(() -> Settings.of(environment))
        .hasMessage(
            """
            UPLIFT_ROLES: expected api, worker or api,worker, found cook
            UPLIFT_PUBLIC_URL: expected how hosts reach this server, such as https://uplift.example.com
            UPLIFT_TIMEOUTS_REBOOT: expected a duration such as PT30S or PT1H, found 15m
            UPLIFT_COMMAND_KEYS_FOLDER: there is no /nowhere/keys
            UPLIFT_JWT_SECRET_FILE: %s: expected a token secret of at least 32 bytes
            UPLIFT_TIMEOUTS_REBOT is not a setting of the server\
            """
                .formatted(home.path("tokens.secret")));
  }

  @Test
  void anUnknownDatabaseIsRejected() {
    Map<String, String> environment = home.environment();
    environment.put("UPLIFT_DATABASE_URL", "jdbc:mysql://h/x");

    assertThatThrownBy(() -> Settings.of(environment))
        .hasMessage("UPLIFT_DATABASE_URL: expected jdbc:h2:… or jdbc:postgresql:…");
  }

  @Test
  void noSecretIsPrinted() throws Exception {
    String text = Settings.of(home.environment()).toString();

    assertThat(text).doesNotContain(ServerHome.TOKEN_SECRET).doesNotContain(ServerHome.ARTIFACT_SECRET);
  }

  @Test
  void theDocumentationListsEverySetting() throws Exception {
    String page = Files.readString(Path.of("../docs/operating.md"));

    assertThat(page).contains(Settings.markdown());
  }

  @Test
  void helpListsEverySettingWithItsDefault() {
    assertThat(Settings.help())
        .contains("UPLIFT_PUBLIC_URL", "required", "UPLIFT_TIMEOUTS_AWAIT_SUCCESSOR", "(default: PT10M)");
  }
}
