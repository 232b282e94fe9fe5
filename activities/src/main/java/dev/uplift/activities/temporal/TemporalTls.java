package dev.uplift.activities.temporal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/// TLS to Temporal: whose certificates are accepted, and the certificate of this server if it has one. The files may be
/// exchanged.
public final class TemporalTls {
  /// With what a key of each kind signs. Of others it is not checked whether they belong to a certificate.
  private static final Map<String, String> SIGNATURES =
      Map.of("EC", "SHA256withECDSA", "RSA", "SHA256withRSA", "EdDSA", "EdDSA");

  private final Optional<Path> authorities;
  private final Optional<ClientCertificate> own;
  private final ReplaceableContext context;

  private TemporalTls(Optional<Path> authorities, Optional<ClientCertificate> own, SslContext first) {
    this.authorities = authorities;
    this.own = own;
    this.context = new ReplaceableContext(first);
  }

  /// Identifies this server to Temporal.
  ///
  /// @param chain certificates (PEM), that of this server first
  /// @param key private key (PEM, PKCS#8)
  public record ClientCertificate(Path chain, Path key) {}

  /// Reads the files.
  ///
  /// @param authorities certificates (PEM) that Temporal's is checked against; empty: those of the JVM
  /// @throws IOException if a file cannot be read, or cannot be used
  /// @throws IllegalArgumentException if a file holds something else
  public static TemporalTls read(Optional<Path> authorities, Optional<ClientCertificate> own) throws IOException {
    return new TemporalTls(authorities, own, build(authorities, own));
  }

  private static SslContext build(Optional<Path> authorities, Optional<ClientCertificate> own) throws IOException {
    SslContextBuilder builder = GrpcSslContexts.forClient();
    authorities.ifPresent(file -> builder.trustManager(file.toFile()));
    if (own.isPresent()) {
      builder.keyManager(own.get().chain().toFile(), own.get().key().toFile());
      requireMatch(own.get());
    }
    return builder.build();
  }

  /// Requires that the key is that of the certificate, because TLS notices it at the first connection only.
  private static void requireMatch(ClientCertificate own) throws IOException {
    try {
      PublicKey certified = ReplaceableContext.readCertifiedKey(own.chain());
      String algorithm = SIGNATURES.get(certified.getAlgorithm());
      if (algorithm != null && !isPair(ReplaceableContext.readKey(own.key()), certified, algorithm)) {
        throw new IllegalArgumentException("expected in %s the key of %s".formatted(own.key(), own.chain()));
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("expected in %s the key of %s".formatted(own.key(), own.chain()), e);
    }
  }

  private static boolean isPair(PrivateKey key, PublicKey certified, String algorithm) throws GeneralSecurityException {
    byte[] text = "any".getBytes(UTF_8);
    Signature signing = Signature.getInstance(algorithm);
    signing.initSign(key);
    signing.update(text);
    Signature verifying = Signature.getInstance(algorithm);
    verifying.initVerify(certified);
    verifying.update(text);
    return verifying.verify(signing.sign());
  }

  /// Reads the files again. Connections that are open stay, and further ones use what the files hold now.
  ///
  /// @throws IOException as [#read]; what was read before stays in use
  /// @throws IllegalArgumentException likewise
  public void reload() throws IOException {
    context.current = build(authorities, own);
  }

  /// Returns the files that [#reload] reads; none if the authorities are those of the JVM and there is no certificate.
  public List<Path> files() {
    return Stream.concat(authorities.stream(), own.stream().flatMap(client -> Stream.of(client.chain(), client.key())))
        .toList();
  }

  SslContext context() {
    return context;
  }

  /// Makes each connection with the newest context, because a client of gRPC keeps the one that it was given.
  private static final class ReplaceableContext extends SslContext {
    private volatile SslContext current;

    private ReplaceableContext(SslContext first) {
      this.current = first;
    }

    /// Returns the key of the first certificate in a file, read as contexts read it.
    private static PublicKey readCertifiedKey(Path chain) throws GeneralSecurityException {
      return toX509Certificates(chain.toFile())[0].getPublicKey();
    }

    /// As [#readCertifiedKey].
    private static PrivateKey readKey(Path file) throws IOException, GeneralSecurityException {
      return toPrivateKey(file.toFile(), null);
    }

    @Override
    public boolean isClient() {
      return current.isClient();
    }

    @Override
    public List<String> cipherSuites() {
      return current.cipherSuites();
    }

    @Override
    @SuppressWarnings("deprecation") // As the framework's class has it.
    public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
      return current.applicationProtocolNegotiator();
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator) {
      return current.newEngine(allocator);
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator, String host, int port) {
      return current.newEngine(allocator, host, port);
    }

    @Override
    public SSLSessionContext sessionContext() {
      return current.sessionContext();
    }
  }
}
