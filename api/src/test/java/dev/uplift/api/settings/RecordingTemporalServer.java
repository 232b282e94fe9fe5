package dev.uplift.api.settings;

import dev.uplift.temporaldev.secrets.TlsCertificates;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerStreamTracer;
import io.grpc.ServerTransportFilter;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.cert.Certificate;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;

/// Stands for Temporal, knows no method, and records who calls. Its connections last a second, so that clients log in
/// again and again.
final class RecordingTemporalServer implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final Set<String> authorizations = ConcurrentHashMap.newKeySet();
  private final Set<Certificate> certificates = ConcurrentHashMap.newKeySet();
  private final Server server;

  /// @param own its own certificates
  RecordingTemporalServer(TlsCertificates own) throws IOException {
    SslContext tls =
        GrpcSslContexts.forServer(own.serverChain().toFile(), own.serverKey().toFile())
            .clientAuth(ClientAuth.REQUIRE)
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .build();
    server =
        NettyServerBuilder.forPort(0)
            .sslContext(tls)
            .maxConnectionAge(1, TimeUnit.SECONDS)
            .maxConnectionAgeGrace(1, TimeUnit.SECONDS)
            .addTransportFilter(new RecordCertificate())
            .addStreamTracerFactory(new RecordAuthorization())
            .build()
            .start();
  }

  String address() {
    return "localhost:" + server.getPort();
  }

  /// Returns the `authorization` that calls came with.
  Set<String> authorizations() {
    return authorizations;
  }

  /// Returns the certificates that clients logged in with.
  Set<Certificate> certificates() {
    return certificates;
  }

  private final class RecordCertificate extends ServerTransportFilter {
    @Override
    public Attributes transportReady(Attributes connection) {
      try {
        certificates.add(
            Objects.requireNonNull(connection.get(Grpc.TRANSPORT_ATTR_SSL_SESSION)).getPeerCertificates()[0]);
        return connection;
      } catch (SSLPeerUnverifiedException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private final class RecordAuthorization extends ServerStreamTracer.Factory {
    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
      authorizations.add(Objects.requireNonNullElse(headers.get(AUTHORIZATION), "none"));
      return new ServerStreamTracer() {};
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
