package dev.uplift.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.TemporalTls.ClientCertificate;
import dev.uplift.services.TestStacks;
import dev.uplift.temporaldev.secrets.TlsCertificates;
import dev.uplift.temporaldev.stack.Stack;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerStreamTracer;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.temporal.client.WorkflowStub;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real Temporal behind a proxy that requires TLS and a client's certificate.
final class TemporalTlsTest {
  @Test
  void onlyAServerWithACertificateReachesATemporalThatRequiresOne() throws Exception {
    try (Stack stack = TestStacks.open()) {
      stack.temporal().start();
      TlsCertificates certificates = stack.secrets().certificates();
      Optional<Path> authority = Optional.of(certificates.caCertificate());
      Optional<ClientCertificate> own =
          Optional.of(new ClientCertificate(certificates.serverChain(), certificates.serverKey()));
      try (TlsProxy proxy = new TlsProxy(certificates, stack.temporal().target())) {
        assertThat(isReachable(proxy, Optional.of(TemporalTls.read(authority, own)))).isTrue();
        assertThat(isReachable(proxy, Optional.of(TemporalTls.read(authority, Optional.empty()))))
            .as("without a certificate")
            .isFalse();
        assertThat(isReachable(proxy, Optional.of(TemporalTls.read(Optional.empty(), own))))
            .as("Temporal's authority is unknown")
            .isFalse();
        assertThat(isReachable(proxy, Optional.empty())).as("without TLS").isFalse();
      }
    }
  }

  @Test
  void aCertificateThatWasExchangedIsUsedByTheSameClient(@TempDir Path folder) throws Exception {
    Path chain = folder.resolve("tls.crt");
    Path key = folder.resolve("tls.key");
    try (Stack stack = TestStacks.open();
        Stack stranger = TestStacks.open()) {
      stack.temporal().start();
      TlsCertificates certificates = stack.secrets().certificates();
      Files.copy(stranger.secrets().certificates().serverChain(), chain);
      Files.copy(stranger.secrets().certificates().serverKey(), key);
      TemporalTls tls =
          TemporalTls.read(Optional.of(certificates.caCertificate()), Optional.of(new ClientCertificate(chain, key)));
      try (TlsProxy proxy = new TlsProxy(certificates, stack.temporal().target());
          TemporalClients temporal =
              new TemporalClients(
                  new TemporalSettings(proxy.target(), "default", "", Optional.of(tls), Optional.empty()),
                  new RequestSeal("secret"),
                  new SimpleMeterRegistry())) {
        assertThat(temporal.isReachable()).as("with the certificate of a stranger").isFalse();

        Files.copy(certificates.serverChain(), chain, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(certificates.serverKey(), key, StandardCopyOption.REPLACE_EXISTING);
        tls.reload();

        await("the next connection").atMost(Duration.ofMinutes(1)).until(temporal::isReachable);
        assertThat(tls.files()).containsExactly(certificates.caCertificate(), chain, key);
      }
    }
  }

  @Test
  void aKeyOfAnotherCertificateIsRefusedAndTheOneBeforeStaysInUse(@TempDir Path folder) throws Exception {
    try (Stack stack = TestStacks.open()) {
      stack.temporal().start();
      TlsCertificates certificates = stack.secrets().certificates();
      Path key = Files.copy(certificates.serverKey(), folder.resolve("tls.key"));
      var own = new ClientCertificate(certificates.serverChain(), key);
      TemporalTls tls = TemporalTls.read(Optional.of(certificates.caCertificate()), Optional.of(own));

      Files.copy(certificates.prepareNext().serverKey(), key, StandardCopyOption.REPLACE_EXISTING);

      assertThatThrownBy(tls::reload).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(key.toString());
      try (TlsProxy proxy = new TlsProxy(certificates, stack.temporal().target())) {
        assertThat(isReachable(proxy, Optional.of(tls))).isTrue();
      }
    }
  }

  @Test
  void theApiKeyComesWithACall() throws Exception {
    Queue<String> keys = new ConcurrentLinkedQueue<>();
    try (Stack stack = TestStacks.open()) {
      TlsCertificates certificates = stack.secrets().certificates();
      Server server = recordingServer(certificates, keys);
      var key = new TemporalApiKey("key-1");
      Optional<TemporalTls> tls =
          Optional.of(TemporalTls.read(Optional.of(certificates.caCertificate()), Optional.empty()));
      try (TemporalClients temporal =
          new TemporalClients(
              new TemporalSettings("localhost:" + server.getPort(), "default", "", tls, Optional.of(key)),
              new RequestSeal("secret"),
              new SimpleMeterRegistry())) {
        WorkflowStub any = temporal.requestClient().newUntypedWorkflowStub("any");
        assertThatThrownBy(any::describe).isInstanceOf(RuntimeException.class);
        assertThat(keys).contains("Bearer key-1").doesNotContain("Bearer key-2");
        key.replace("key-2");
        assertThatThrownBy(any::describe).isInstanceOf(RuntimeException.class);
      } finally {
        server.shutdownNow();
      }
    }
    assertThat(keys).contains("Bearer key-2");
  }

  /// A server that knows no method, and records the authorization of each call.
  private static Server recordingServer(TlsCertificates certificates, Queue<String> keys) throws IOException {
    Metadata.Key<String> authorization = Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    return NettyServerBuilder.forPort(0)
        .useTransportSecurity(certificates.serverChain().toFile(), certificates.serverKey().toFile())
        .addStreamTracerFactory(
            new ServerStreamTracer.Factory() {
              @Override
              public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
                keys.add(String.valueOf(headers.get(authorization)));
                return new ServerStreamTracer() {};
              }
            })
        .build()
        .start();
  }

  @Test
  void aFileThatIsNoCertificateIsRefusedWhenItIsRead() throws Exception {
    try (Stack stack = TestStacks.open()) {
      Path key = stack.secrets().certificates().serverKey();

      assertThatThrownBy(() -> TemporalTls.read(Optional.of(key), Optional.empty()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(key.toString());
    }
  }

  private static boolean isReachable(TlsProxy proxy, Optional<TemporalTls> tls) {
    try (TemporalClients temporal =
        new TemporalClients(
            new TemporalSettings(proxy.target(), "default", "", tls, Optional.empty()),
            new RequestSeal("secret"),
            new SimpleMeterRegistry())) {
      return temporal.isReachable();
    }
  }
}
