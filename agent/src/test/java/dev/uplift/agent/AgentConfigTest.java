package dev.uplift.agent;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.agent.enrolment.CredentialsRenewal;
import dev.uplift.protocol.json.MalformedMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class AgentConfigTest {
  private static final String SHORT =
      """
      {"tenant":"acme","host":"left","nats_urls":"nats://127.0.0.1:4222","state_folder":"state",\
      "trust_folder":"trust","packages":{"shopd":{"kind":"bundle"}}}\
      """;

  static final List<Bad> BAD_CONFIGURATIONS =
      List.of(
          new Bad("\"acme\"", "\"Acme\"", "tenant: expected"),
          new Bad("\"tenant\":\"acme\",", "", "tenant: expected a text, found none"),
          new Bad("\"bundle\"", "7", "kind: expected a text, found 7"),
          new Bad("{\"kind\":\"bundle\"}", "\"bundle\"", "shopd: expected an object"),
          new Bad("\"shopd\"", "\"/shopd\"", "packages: expected"),
          new Bad(
              "\"packages\"", "\"heartbeat_seconds\":0,\"packages\"", "heartbeat_seconds: expected 1 to 86400 seconds"),
          new Bad("\"packages\"", "\"reboot_command\":[],\"packages\"", "reboot_command: expected a program"));

  @TempDir Path folder;

  @Test
  void whatIsNotSaidIsAsUsualAndPathsAreRelativeToTheFile() throws IOException {
    AgentConfig config = read(SHORT);

    assertThat(config.stateFolder()).isEqualTo(folder.resolve("state"));
    assertThat(config.bootIdFile()).isEqualTo(Path.of("/proc/sys/kernel/random/boot_id"));
    assertThat(config.rebootCommand()).isEqualTo(List.of("systemctl", "reboot"));
    assertThat(config.heartbeatInterval()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.renewal())
        .isEqualTo(new CredentialsRenewal.Intervals(Duration.ofHours(24), Duration.ofMinutes(5)));
    assertThat(config.passwordFile()).isEmpty();
    assertThat(config.credentials()).isEmpty();
  }

  @Test
  void settingsOfAPackageAreForItsDriver() throws IOException {
    AgentConfig config = read(SHORT.replace("\"bundle\"", "\"bundle\",\"folder\":\"/srv\",\"health\":\"true\""));

    AgentConfig.PackageConfig shopd = requireNonNull(config.packages().get("shopd"));
    assertThat(shopd.folder()).contains(Path.of("/srv"));
    assertThat(shopd.settings()).containsOnlyKeys("health");
  }

  @ParameterizedTest
  @FieldSource("BAD_CONFIGURATIONS")
  void badConfigurationIsRefusedWithTheNameOfTheField(Bad bad) {
    assertThatThrownBy(() -> read(SHORT.replace(bad.part, bad.instead)))
        .isInstanceOf(MalformedMessage.class)
        .hasMessageStartingWith(bad.complaint);
  }

  record Bad(String part, String instead, String complaint) {}

  private AgentConfig read(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("agent.json"), text);
    return AgentConfig.read(file);
  }
}
