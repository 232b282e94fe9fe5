package dev.uplift.temporaldev;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.protocol.Root;
import dev.uplift.protocol.SignedRoot;
import dev.uplift.protocol.SigningKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Keys, secrets and tokens as others read them.
final class SecretsTest {
  @TempDir Path folder;

  @Test
  void aTenantHasARootThatNamesTheKeysAndIsSignedByItself() throws Exception {
    var secrets = new Secrets(folder);

    Path roots = secrets.roots("acme");
    SignedRoot first =
        new SignedRoot(
            Files.readString(roots.resolve("1.root.json")),
            Files.readString(roots.resolve("1.root.sig")));

    Root root = Root.read(first.root().getBytes(UTF_8));
    assertThat(first.alone("acme")).isEqualTo(new SignedRoot.Judgement.Good(root));
    assertThat(root.holders(Root.Role.COMMAND).keys())
        .containsExactly(SigningKey.read(secrets.commandKey()).keyId());
    assertThat(root.holders(Root.Role.RELEASE).keys())
        .containsExactly(SigningKey.read(secrets.releaseKey()).keyId());
    assertThat(secrets.trust("acme").resolve("root.json")).hasContent(first.root());
  }

  @Test
  void secretsStayWhatTheyAre() throws Exception {
    String first = Files.readString(new Secrets(folder).password("uplift"));
    String key = Files.readString(new Secrets(folder).commandKey());

    assertThat(new Secrets(folder).password("uplift")).hasContent(first);
    assertThat(new Secrets(folder).commandKey()).hasContent(key);
    assertThat(first).matches("[0-9a-f]{64}");
    assertThat(new Secrets(folder).password("device-acme")).content().isNotEqualTo(first);
  }

  @Test
  void aTokenSaysWhoseItIsAndIsSigned() throws Exception {
    var secrets = new Secrets(folder);
    var tokens = new Tokens(folder.resolve("tokens"), secrets.tokenSecret());

    String[] parts = tokens.mint("ann", "acme", "operator", Duration.ofHours(1)).split("\\.", -1);

    assertThat(new String(Base64.getUrlDecoder().decode(parts[0]), UTF_8))
        .isEqualTo("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");
    assertThat(new String(Base64.getUrlDecoder().decode(parts[1]), UTF_8))
        .startsWith(
            "{\"sub\":\"ann\",\"tenant\":\"acme\",\"roles\":[\"viewer\",\"operator\"],\"iat\":");
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Files.readAllBytes(secrets.tokenSecret()), "HmacSHA256"));
    assertThat(Base64.getUrlDecoder().decode(parts[2]))
        .isEqualTo(mac.doFinal((parts[0] + "." + parts[1]).getBytes(UTF_8)));
  }

  @Test
  void thereIsATokenPerRoleForEveryTenant() {
    var tokens = new Tokens(folder.resolve("tokens"), new Secrets(folder).tokenSecret());

    assertThat(tokens.folder().resolve("viewer")).exists();
    assertThat(tokens.folder().resolve("operator")).exists();
    assertThat(new String(Base64.getUrlDecoder().decode(tokens.admin().split("\\.", -1)[1]), UTF_8))
        .contains("\"tenant\":\"*\"", "\"roles\":[\"viewer\",\"operator\",\"admin\"]");
    assertThatThrownBy(() -> tokens.mint("ann", "acme", "king", Duration.ofHours(1)))
        .hasMessage("no such role: king");
  }
}
