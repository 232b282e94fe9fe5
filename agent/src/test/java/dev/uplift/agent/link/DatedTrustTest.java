package dev.uplift.agent.link;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.temporaldev.Stack;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Certificates of a stack: good for ten years from now on.
final class DatedTrustTest {
  private static Stack stack;
  private static X509Certificate[] chain;

  @BeforeAll
  static void make() throws Exception {
    stack = Stack.temporary().secured().open();
    chain = read(stack.secrets().certificates().chain()).toArray(X509Certificate[]::new);
  }

  @AfterAll
  static void close() {
    stack.close();
  }

  private static List<X509Certificate> read(Path pem) throws Exception {
    try (InputStream in = Files.newInputStream(pem)) {
      return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
          .map(X509Certificate.class::cast)
          .toList();
    }
  }

  private static DatedTrust trusting(Certificate authority, Instant past) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("own", authority);
    return new DatedTrust(trusted, () -> past);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1970-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "2027-01-01T00:00:00Z"})
  void aServerIsTrustedWhateverTheBoardTakesTheTimeFor(String past) throws Exception {
    DatedTrust trust = trusting(chain[1], Instant.parse(past));
    assertThatCode(() -> trust.checkServerTrusted(chain, "ECDHE_ECDSA")).doesNotThrowAnyException();
  }

  @Test
  void whatHadEndedBeforeATimeThatIsPastIsNot() throws Exception {
    DatedTrust trust = trusting(chain[1], Instant.parse("2049-01-01T00:00:00Z"));
    assertThatThrownBy(() -> trust.checkServerTrusted(chain, "ECDHE_ECDSA"))
        .isInstanceOf(CertificateException.class);
  }

  @Test
  void whomAnotherAuthorityVouchesForIsNot() throws Exception {
    try (Stack other = Stack.temporary().secured().open()) {
      Certificate foreign = read(other.secrets().certificates().authority()).getFirst();
      DatedTrust trust = trusting(foreign, Instant.EPOCH);
      assertThatThrownBy(() -> trust.checkServerTrusted(chain, "ECDHE_ECDSA"))
          .isInstanceOf(CertificateException.class);
    }
  }
}
