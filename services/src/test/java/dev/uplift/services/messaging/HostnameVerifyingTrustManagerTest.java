package dev.uplift.services.messaging;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.temporaldev.secrets.TlsCertificates;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/// The certificates of a stack name `localhost` and 127.0.0.1. Sockets are created like those of the NATS client, which
/// does not verify names itself.
final class HostnameVerifyingTrustManagerTest {
  @Test
  void aServerIsTrustedOnlyByTheNamesInItsCertificate() throws Exception {
    try (Stack stack = TestServers.stack().tls().open();
        var answers = Executors.newVirtualThreadPerTaskExecutor();
        ServerSocket server = server(stack.secrets().certificates().serverChain())) {
      var _ = answers.submit(() -> answer(server));
      SSLContext client =
          HostnameVerifyingTrustManager.sslContext(Optional.of(stack.secrets().certificates().caCertificate()));
      call(client, server, "localhost");
      call(client, server, "127.0.0.1");
      for (String other : List.of("nats.example.com", "127.0.0.2")) {
        assertThatThrownBy(() -> call(client, server, other))
            .isInstanceOf(SSLException.class)
            .hasMessageContaining(other);
      }
      SSLContext usual = HostnameVerifyingTrustManager.sslContext(Optional.empty());
      assertThatThrownBy(() -> call(usual, server, "localhost")).isInstanceOf(SSLException.class);
    }
  }

  @Test
  void authoritiesAreThoseInTheFileAtEachConnection() throws Exception {
    try (Stack stack = TestServers.stack().tls().open();
        var answers = Executors.newVirtualThreadPerTaskExecutor();
        ServerSocket server = server(stack.secrets().certificates().serverChain())) {
      var _ = answers.submit(() -> answer(server));
      TlsCertificates certificates = stack.secrets().certificates();
      Path file = stack.folder().resolve("authorities.pem");
      Files.copy(certificates.prepareNext().caCertificate(), file);
      SSLContext client = HostnameVerifyingTrustManager.sslContext(Optional.of(file));
      assertThatThrownBy(() -> call(client, server, "localhost")).isInstanceOf(SSLException.class);

      Files.copy(certificates.caCertificate(), file, StandardCopyOption.REPLACE_EXISTING);
      call(client, server, "localhost");

      String whole = Files.readString(file);
      for (String unusable : List.of("", whole.substring(0, whole.length() / 2), "none")) {
        Files.writeString(file, unusable);
        call(client, server, "localhost");
      }
      Files.delete(file);
      call(client, server, "localhost");
    }
  }

  private static void answer(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket caller = server.accept()) {
        caller.getInputStream().read();
      } catch (IOException _) {
        // The client rejected the certificate, or the test has ended.
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

  private static ServerSocket server(Path chain) throws Exception {
    char[] password = "uplift".toCharArray();
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(KeyStore.getInstance(chain.resolveSibling("server.p12").toFile(), password), password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }
}
