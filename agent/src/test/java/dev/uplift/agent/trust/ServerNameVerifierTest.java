package dev.uplift.agent.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerNameVerifierTest {
  @TempDir private static Path folder;
  private static X509Certificate certificate;

  @BeforeAll
  static void make() throws Exception {
    Path store = folder.resolve("own.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "own",
                "-keyalg",
                "EC",
                "-dname",
                "CN=cn.example.org",
                "-ext",
                "san=dns:nats.example.org,dns:*.hosts.example.org,dns:*.com,ip:10.0.0.7,ip:fd00::7",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                "secret")
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, "secret".toCharArray());
    }
    certificate = (X509Certificate) keys.getCertificate("own");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nats.example.org", "NATS.Example.org", "a.hosts.example.org", "10.0.0.7", "fd00::7", "[fd00:0::7]"})
  void whoIsNamedIsTheOneThatWasAskedFor(String host) {
    assertThatCode(() -> ServerNameVerifier.verify(certificate, host)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "other.example.org",
        "cn.example.org",
        "a.b.hosts.example.org",
        "hosts.example.org",
        ".hosts.example.org",
        "*.hosts.example.org.evil.org",
        "evil.com",
        "10.0.0.8",
        "fd00::8",
        "localhost",
        ""
      })
  void whoIsNotNamedIsAnother(String host) {
    assertThatThrownBy(() -> ServerNameVerifier.verify(certificate, host))
        .isInstanceOf(CertificateException.class)
        .hasMessage("the certificate is not one of " + host);
  }
}
