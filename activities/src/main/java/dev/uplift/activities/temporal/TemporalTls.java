package dev.uplift.activities.temporal;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// TLS to Temporal: whose certificates are accepted, and the certificate of this server if it has one.
///
/// @param context as the files were when they were read
public record TemporalTls(SslContext context) {
  /// Identifies this server to Temporal.
  ///
  /// @param chain certificates (PEM), that of this server first
  /// @param key private key (PEM, PKCS#8)
  public record ClientCertificate(Path chain, Path key) {}

  /// Reads the files, once: after a change the server is restarted.
  ///
  /// @param authorities certificates (PEM) that Temporal's is checked against; empty: those of the JVM
  /// @throws IOException if a file cannot be read, or cannot be used
  /// @throws IllegalArgumentException if a file holds something else
  public static TemporalTls read(Optional<Path> authorities, Optional<ClientCertificate> own) throws IOException {
    SslContextBuilder builder = GrpcSslContexts.forClient();
    authorities.ifPresent(file -> builder.trustManager(file.toFile()));
    own.ifPresent(client -> builder.keyManager(client.chain().toFile(), client.key().toFile()));
    return new TemporalTls(builder.build());
  }
}
