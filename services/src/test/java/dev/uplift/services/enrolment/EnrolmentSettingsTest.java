package dev.uplift.services.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.cli.nats.NatsKeyFolder;
import dev.uplift.cli.nats.RotatableNatsKey;
import dev.uplift.protocol.nats.Nkey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EnrolmentSettingsTest {
  @TempDir private Path folder;

  @Test
  void aServerThatHostsWouldReachInTheClearAdmitsNone() {
    assertThatThrownBy(() -> EnrolmentSettings.read(folder, "http://uplift.example.com", "tls://nats.example.com", ""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("UPLIFT_ENROLMENT_SERVER_URL (or UPLIFT_PUBLIC_URL): expected https://");
    assertThatThrownBy(
            () -> EnrolmentSettings.read(folder, "https://uplift.example.com", "nats://nats.example.com", ""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("UPLIFT_ENROLMENT_NATS_URL (or UPLIFT_NATS_URL): expected tls://");
  }

  @Test
  void aKeyIsReadWithTheClaimsThatNameItOnly() throws Exception {
    NatsKeyFolder keys = created("keys");
    EnrolmentSettings first = read(keys);
    assertThat(first.readAgain("").isSameAs(first)).isTrue();
    Path claims = keys.enrolmentFolder().resolve("devices.jwt");
    String before = Files.readString(claims);
    keys.rotate(RotatableNatsKey.HOSTS_SIGNING);
    String after = Files.readString(claims);

    Files.writeString(claims, before);
    assertThatThrownBy(() -> first.readAgain(""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected hosts-signing.nk to be one of the signing keys in devices.jwt");
    Files.writeString(claims, after);
    EnrolmentSettings next = first.readAgain("");

    assertThat(next.isSameAs(first)).isFalse();
    assertThat(next.hostSigningKey().publicKey()).isNotEqualTo(first.hostSigningKey().publicKey());
  }

  @Test
  void claimsThatAreCutOffOrChangedAreNotRead() throws Exception {
    NatsKeyFolder keys = created("keys");
    EnrolmentSettings first = read(keys);
    for (String name : new String[] {"devices.jwt", "streams.jwt", "system.jwt"}) {
      Path file = keys.enrolmentFolder().resolve(name);
      String whole = Files.readString(file);
      for (String part : new String[] {"", whole.substring(0, whole.length() - 8), whole.replaceFirst("\\.", ".A")}) {
        Files.writeString(file, part);
        assertThatThrownBy(() -> first.readAgain("")).isInstanceOf(IOException.class).hasMessageContaining(name);
      }
      Files.writeString(file, whole);
    }
    assertThat(first.readAgain("").isSameAs(first)).isTrue();
  }

  @Test
  void aKeyOfAnotherKindIsNotRead() throws Exception {
    NatsKeyFolder keys = created("keys");
    EnrolmentSettings first = read(keys);
    Files.writeString(keys.enrolmentFolder().resolve("operator-signing.nk"), Nkey.generate(Nkey.Kind.ACCOUNT).seed());

    assertThatThrownBy(() -> first.readAgain(""))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("operator-signing.nk: expected a key of the kind OPERATOR");
  }

  @Test
  void anotherAccountTakesARestart() throws Exception {
    NatsKeyFolder keys = created("keys");
    EnrolmentSettings first = read(keys);
    NatsKeyFolder others = created("others");
    for (Path file : first.files()) {
      Files.copy(others.enrolmentFolder().resolve(file.getFileName()), file, StandardCopyOption.REPLACE_EXISTING);
    }

    assertThatThrownBy(() -> first.readAgain(""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("devices.jwt: expected the account")
        .hasMessageEndingWith("another one takes a restart");
    assertThat(read(keys).isSameAs(first)).isFalse();
  }

  @Test
  void authoritiesThatAreNoneAreNotRead() throws Exception {
    EnrolmentSettings first = read(created("keys"));

    assertThatThrownBy(() -> first.readAgain("-----BEGIN CERTIFICATE-----\nMIIB"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("UPLIFT_ENROLMENT_CA_FILE: expected certificates");
  }

  private NatsKeyFolder created(String name) {
    var keys = new NatsKeyFolder(folder.resolve(name), folder.resolve(name).resolve("offline"));
    keys.create();
    return keys;
  }

  private static EnrolmentSettings read(NatsKeyFolder keys) throws IOException {
    return EnrolmentSettings.read(keys.enrolmentFolder(), "https://uplift.example.com", "tls://nats.example.com", "");
  }
}
