package dev.uplift.temporaldev.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.signature.SigningKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Keys, secrets and tokens as others read them.
final class StackSecretsTest {
  @TempDir Path folder;

  @Test
  void aTenantHasARootThatNamesTheKeysAndIsSignedByItself() throws Exception {
    var stackSecrets = new StackSecrets(folder);

    Path roots = stackSecrets.rootFolder("acme");
    SignedTrustRoot first =
        new SignedTrustRoot(
            Files.readString(roots.resolve("1.root.json")), Files.readString(roots.resolve("1.root.sig")));

    TrustRoot trustRoot = TrustRoot.read(first.root().getBytes(UTF_8));
    assertThat(first.verifyAsFirst("acme")).isEqualTo(new SignedTrustRoot.Verification.Valid(trustRoot));
    assertThat(trustRoot.roleKeys(TrustRoot.Role.COMMAND).keys())
        .containsExactly(SigningKey.read(stackSecrets.commandKeyFile()).keyId());
    assertThat(trustRoot.roleKeys(TrustRoot.Role.RELEASE).keys())
        .containsExactly(SigningKey.read(stackSecrets.releaseKeyFile()).keyId());
    assertThat(stackSecrets.trustFolder("acme").resolve("root.json")).hasContent(first.root());
  }

  @Test
  void secretsStayWhatTheyAre() throws Exception {
    String first = Files.readString(new StackSecrets(folder).passwordFile("uplift"));
    String key = Files.readString(new StackSecrets(folder).commandKeyFile());

    assertThat(new StackSecrets(folder).passwordFile("uplift")).hasContent(first);
    assertThat(new StackSecrets(folder).commandKeyFile()).hasContent(key);
    assertThat(first).matches("[0-9a-f]{64}");
    assertThat(new StackSecrets(folder).passwordFile("device-acme")).content().isNotEqualTo(first);
  }

  @Test
  void aTokenSaysWhoseItIsAndIsSigned() throws Exception {
    var stackSecrets = new StackSecrets(folder);
    var stackTokens = new StackTokens(folder.resolve("tokens"), stackSecrets.tokenSecretFile());

    String[] parts = stackTokens.create("ann", "acme", "operator", Duration.ofHours(1)).split("\\.", -1);

    assertThat(new String(Base64.getUrlDecoder().decode(parts[0]), UTF_8))
        .isEqualTo("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");
    assertThat(new String(Base64.getUrlDecoder().decode(parts[1]), UTF_8))
        .startsWith("{\"sub\":\"ann\",\"tenant\":\"acme\",\"roles\":[\"viewer\",\"operator\"],\"iat\":");
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Files.readAllBytes(stackSecrets.tokenSecretFile()), "HmacSHA256"));
    assertThat(Base64.getUrlDecoder().decode(parts[2]))
        .isEqualTo(mac.doFinal((parts[0] + "." + parts[1]).getBytes(UTF_8)));
  }

  @Test
  void thereIsATokenPerRoleForEveryTenant() {
    var stackTokens = new StackTokens(folder.resolve("tokens"), new StackSecrets(folder).tokenSecretFile());

    assertThat(stackTokens.folder().resolve("viewer")).exists();
    assertThat(stackTokens.folder().resolve("operator")).exists();
    assertThat(new String(Base64.getUrlDecoder().decode(stackTokens.admin().split("\\.", -1)[1]), UTF_8))
        .contains("\"tenant\":\"*\"", "\"roles\":[\"viewer\",\"operator\",\"admin\"]");
    assertThatThrownBy(() -> stackTokens.create("ann", "acme", "king", Duration.ofHours(1)))
        .hasMessage("no such role: king");
  }
}
