package dev.uplift.services.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.cli.nats.NatsKeyFolder;
import dev.uplift.cli.nats.RotatableNatsKey;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
  void claimsThatRevokeTheCredentialsOfTheirPublisherAreNotRead() throws Exception {
    NatsKeyFolder keys = created("keys");
    EnrolmentSettings first = read(keys);
    Path credentials = keys.enrolmentFolder().resolve("system.creds");
    Path claims = keys.enrolmentFolder().resolve("system.jwt");
    String oldCredentials = Files.readString(credentials);
    String oldClaims = Files.readString(claims);
    keys.rotate(RotatableNatsKey.SYSTEM);
    keys.retire(RotatableNatsKey.SYSTEM);
    String newCredentials = Files.readString(credentials);
    String newClaims = Files.readString(claims);

    Files.writeString(credentials, oldCredentials);
    for (ThrowingCallable reading : List.<ThrowingCallable>of(() -> first.readAgain(""), () -> read(keys))) {
      assertThatThrownBy(reading)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("system.creds: issued at ")
          .hasMessageContaining("the claims of the account SYSTEM")
          .hasMessageEndingWith("put the newer credentials here, too");
    }

    Files.writeString(credentials, newCredentials);
    Files.writeString(claims, oldClaims);
    assertThat(first.readAgain("").isSameAs(first)).as("as during a rotation").isTrue();
    Files.writeString(claims, newClaims);
    assertThat(first.readAgain("").isSameAs(first)).isFalse();
  }

  @Test
  void credentialsThatNatsWouldRejectAreNotRead() throws Exception {
    NatsKeyFolder keys = created("keys");
    EnrolmentSettings first = read(keys);
    Path file = keys.enrolmentFolder().resolve("system.creds");
    Credentials right = Credentials.read(file);
    Map<String, String> unusable =
        Map.of(
            "",
            "expected a block NATS USER JWT",
            right.format().substring(0, right.format().length() - 40),
            "expected a block USER NKEY SEED",
            Files.readString(created("others").enrolmentFolder().resolve("system.creds")),
            "expected credentials that the account SYSTEM (",
            Files.readString(keys.serverCredentials()),
            "expected credentials that the account SYSTEM (",
            new Credentials(right.jwt(), Nkey.generate(Nkey.Kind.USER)).format(),
            "expected the key that its JWT names",
            new Credentials(right.jwt().replaceFirst("\\.", ".A"), right.key()).format(),
            "system.creds: ");
    for (var each : unusable.entrySet()) {
      Files.writeString(file, each.getKey());
      assertThatThrownBy(() -> first.readAgain(""))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(each.getValue());
    }
  }

  @Test
  void claimsThatRevokeTheCredentialsOfTheServerAreNotAccepted() throws Exception {
    NatsKeyFolder keys = created("keys");
    Path before = Files.copy(keys.serverCredentials(), folder.resolve("before.creds"));
    keys.rotate(RotatableNatsKey.SERVER);
    read(keys).requireAccepted(before);
    keys.retire(RotatableNatsKey.SERVER);

    assertThatThrownBy(() -> read(keys).requireAccepted(before))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("before.creds: issued at ")
        .hasMessageContaining("the claims of the account STREAMS");
    read(keys).requireAccepted(keys.serverCredentials());
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
