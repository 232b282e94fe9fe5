package dev.uplift.agent.trust;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Certificates of a stack: good for ten years from now on.
final class TimeAwareTrustManagerTest {
  private static Stack stack;
  private static X509Certificate[] chain;

  @BeforeAll
  static void make() throws Exception {
    stack = TestServers.stack().tls().open();
    chain = read(stack.secrets().certificates().serverChain()).toArray(X509Certificate[]::new);
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

  private static TimeAwareTrustManager trusting(X509Certificate authority, Instant past) {
    return new TimeAwareTrustManager(() -> Set.of(new TrustAnchor(authority, null)), () -> past);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1970-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "2027-01-01T00:00:00Z"})
  void aServerIsTrustedWhateverTheBoardTakesTheTimeFor(String past) throws Exception {
    TimeAwareTrustManager trust = trusting(chain[1], Instant.parse(past));
    assertThatCode(() -> trust.checkServerTrusted(chain, "ECDHE_ECDSA")).doesNotThrowAnyException();
  }

  @Test
  void whatHadEndedBeforeATimeThatIsPastIsNot() throws Exception {
    for (X509Certificate trusted : chain) {
      TimeAwareTrustManager trust = trusting(trusted, Instant.parse("2049-01-01T00:00:00Z"));
      assertThatThrownBy(() -> trust.checkServerTrusted(chain, "ECDHE_ECDSA")).isInstanceOf(CertificateException.class);
    }
  }

  /// As the client library of NATS makes its sockets, which asks for no names itself.
  @Test
  void aServerThatIsCalledByAnotherNameIsNot() throws Exception {
    SSLContext client = SSLContext.getInstance("TLS");
    client.init(null, new TrustManager[] {trusting(chain[1], Instant.EPOCH)}, null);
    try (var answers = Executors.newVirtualThreadPerTaskExecutor();
        ServerSocket server = server()) {
      var _ =
          answers.submit(() -> {
            while (!server.isClosed()) {
              try (Socket caller = server.accept()) {
                caller.getInputStream().read();
              } catch (IOException _) {
                // It did not like us, or this is the end.
              }
            }
          });
      call(client, server, "localhost");
      call(client, server, "127.0.0.1");
      for (String other : List.of("nats.example.com", "127.0.0.2")) {
        assertThatThrownBy(() -> call(client, server, other))
            .isInstanceOf(SSLException.class)
            .hasMessageContaining(other);
      }
    }
  }

  private static void call(SSLContext client, ServerSocket server, String name) throws IOException {
    var plain = new Socket(server.getInetAddress(), server.getLocalPort());
    try (SSLSocket socket =
        (SSLSocket) client.getSocketFactory().createSocket(plain, name, server.getLocalPort(), true)) {
      socket.startHandshake();
    }
  }

  /// A server of the stack.
  private static ServerSocket server() throws Exception {
    char[] password = "uplift".toCharArray();
    Path file = stack.secrets().certificates().serverChain().resolveSibling("server.p12");
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(KeyStore.getInstance(file.toFile(), password), password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @Test
  void whomAnotherAuthorityVouchesForIsNot() throws Exception {
    try (Stack other = TestServers.stack().tls().open()) {
      X509Certificate foreign = read(other.secrets().certificates().caCertificate()).getFirst();
      TimeAwareTrustManager trust = trusting(foreign, Instant.EPOCH);
      assertThatThrownBy(() -> trust.checkServerTrusted(chain, "ECDHE_ECDSA")).isInstanceOf(CertificateException.class);
    }
  }
}
