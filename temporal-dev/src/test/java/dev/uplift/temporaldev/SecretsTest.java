package dev.uplift.temporaldev;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Keys, secrets and tokens as others read them.
final class SecretsTest {
  @TempDir Path folder;

  @Test
  void whatThePrivateKeySignsTheTrustedOneVerifiesAndIsNamedByItsId() throws Exception {
    var secrets = new Secrets(folder);

    for (Path privateKey : List.of(secrets.commandKey(), secrets.releaseKey())) {
      String name = privateKey.getFileName().toString().replace(".pem", "");
      Path trusted = only(secrets.trust().resolve(name));
      byte[] encoded = pem(trusted, "PUBLIC KEY");
      assertThat(verifies(pem(privateKey, "PRIVATE KEY"), encoded)).isTrue();
      byte[] raw = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
      String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(raw));
      assertThat(trusted).hasFileName(digest.substring(0, 16) + ".pem");
    }
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
  void aTrustedKeyWhosePrivateOneIsLostIsNotTrustedAnyMore() throws Exception {
    Path lost = new Secrets(folder).commandKey();
    Path before = only(folder.resolve("trust/command"));
    Files.delete(lost);

    assertThat(only(new Secrets(folder).trust().resolve("command"))).isNotEqualTo(before);
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

  private static boolean verifies(byte[] privateKey, byte[] publicKey) throws Exception {
    KeyFactory keys = KeyFactory.getInstance("Ed25519");
    PrivateKey signing = keys.generatePrivate(new PKCS8EncodedKeySpec(privateKey));
    PublicKey verifying = keys.generatePublic(new X509EncodedKeySpec(publicKey));
    Signature signature = Signature.getInstance("Ed25519");
    signature.initSign(signing);
    signature.update(new byte[] {1, 2, 3});
    byte[] signed = signature.sign();
    signature.initVerify(verifying);
    signature.update(new byte[] {1, 2, 3});
    return signature.verify(signed);
  }

  private static byte[] pem(Path file, String type) throws Exception {
    List<String> lines = Files.readAllLines(file);
    assertThat(lines.getFirst()).isEqualTo("-----BEGIN " + type + "-----");
    assertThat(lines.getLast()).isEqualTo("-----END " + type + "-----");
    return Base64.getDecoder().decode(String.join("", lines.subList(1, lines.size() - 1)));
  }

  private static Path only(Path folder) throws Exception {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      assertThat(files).hasSize(1);
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      return files.iterator().next();
    }
  }
}
