package dev.uplift.services.trust;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.store.trust.TrustRootRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandSignerTest {
  private static final String BODY = "do this";

  @TempDir Path folder;
  private final SigningKey first = SigningKey.generate();
  private final SigningKey second = SigningKey.generate();
  private final TenantFixture tenancy = new TenantFixture();

  @AfterEach
  void close() {
    tenancy.close();
  }

  @Test
  void signsWithTheLastKnownKeyOfTheRoot() {
    CommandSigner signer = pen(CommandKeys.of(first, second));

    tenancy.publish(first);
    assertThat(signer(signer)).isEqualTo(first.keyId());
    tenancy.publish(first, second);
    assertThat(signer(signer)).isEqualTo(second.keyId());
    tenancy.publish(second, first, SigningKey.generate());
    assertThat(signer(signer)).isEqualTo(first.keyId());
  }

  @Test
  void waitingCommandIsSignedAgainOnlyIfTheRootNamesAnotherKey() {
    CommandSigner signer = pen(CommandKeys.of(first, second));
    tenancy.publish(first);
    String signature = signer.sign(tenancy.name, newestRoot(), BODY.getBytes(UTF_8));

    assertThat(signer.signAgainIfKeyChanged(tenancy.name, BODY, signature)).isEqualTo(signature);
    tenancy.publish(first, second);
    assertThat(signer.signAgainIfKeyChanged(tenancy.name, BODY, signature)).startsWith(second.keyId() + ".");
  }

  @Test
  void addedKeyFileIsLoadedWhenARootNamesIt() throws Exception {
    Files.writeString(folder.resolve("1.pem"), first.toPem());
    CommandSigner signer = pen(CommandKeys.readFrom(folder));
    tenancy.publish(first);
    assertThat(signer(signer)).isEqualTo(first.keyId());

    Files.writeString(folder.resolve("2.pem"), second.toPem());
    tenancy.publish(first, second);

    await().atMost(Duration.ofSeconds(60)).until(() -> signer(signer).equals(second.keyId()));
  }

  @Test
  void withoutAKeyOfTheRootNothingIsSigned() {
    CommandSigner signer = pen(CommandKeys.of(first));
    tenancy.publish(second);

    assertThatThrownBy(() -> signer(signer))
        .isInstanceOf(NoCommandKey.class)
        .hasMessageContaining("root 1 of " + tenancy.name)
        .hasMessageContaining(second.keyId());
  }

  @Test
  void folderWithoutAKeyIsAnError() {
    assertThatThrownBy(() -> CommandKeys.readFrom(folder))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessage("expected a private key in a file *.pem, found none");
  }

  private long newestRoot() {
    return tenancy.trustRoots().findNewest(tenancy.name).map(TrustRootRow::version).orElse(0L);
  }

  private CommandSigner pen(CommandKeys keys) {
    return new CommandSigner(new TrustRoots(tenancy.trustRoots()), keys);
  }

  private String signer(CommandSigner signer) {
    String signature = signer.sign(tenancy.name, newestRoot(), BODY.getBytes(UTF_8));
    return signature.substring(0, signature.indexOf('.'));
  }
}
