package dev.uplift.agent.trust;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/// The TLS authorities of the servers that the agent talks to. Expiry is checked without the clock of the board:
/// [TimeAwareTrustManager].
public final class TlsAuthorities {
  private TlsAuthorities() {}

  /// From now on the certificates of this file (PEM) are the only ones that count in this process, for NATS and for
  /// artifacts; without a file, those of the runtime. The file is read again for each connection, so that another
  /// authority can be added while the agent runs.
  ///
  /// @param timeFloor a time that has certainly passed
  public static void trustOnly(Optional<Path> pem, Supplier<Instant> timeFloor)
      throws IOException, GeneralSecurityException {
    Set<TrustAnchor> trusted = pem.isPresent() ? read(pem.get()) : runtimeAuthorities();
    TimeAwareTrustManager.Source source = pem.isPresent() ? () -> read(pem.get()) : () -> trusted;
    SSLContext.setDefault(context(new TimeAwareTrustManager(source, timeFloor)));
  }

  private static Set<TrustAnchor> read(Path pem) throws IOException, GeneralSecurityException {
    Set<TrustAnchor> trusted = new HashSet<>();
    try (InputStream in = Files.newInputStream(pem)) {
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.add(anchor((X509Certificate) each));
      }
    }
    if (trusted.isEmpty()) {
      throw new GeneralSecurityException(pem + ": expected a certificate, found none");
    }
    return trusted;
  }

  /// Returns when the last of the certificates of this file expires.
  public static Instant newestExpiry(Path pem) throws IOException, GeneralSecurityException {
    Instant newest = Instant.EPOCH;
    for (TrustAnchor each : read(pem)) {
      newest = TrustedTimeFloor.later(newest, each.getTrustedCert().getNotAfter().toInstant());
    }
    return newest;
  }

  private static Set<TrustAnchor> runtimeAuthorities() throws GeneralSecurityException {
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init((KeyStore) null);
    Set<TrustAnchor> trusted = new HashSet<>();
    for (X509Certificate each : ((X509TrustManager) managers.getTrustManagers()[0]).getAcceptedIssuers()) {
      trusted.add(anchor(each));
    }
    return trusted;
  }

  private static TrustAnchor anchor(X509Certificate authority) {
    return new TrustAnchor(authority, null);
  }

  private static SSLContext context(TrustManager manager) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {manager}, null);
    return context;
  }

  /// Sockets to a server for which the certificate of this hash vouches, which it has to show.
  ///
  /// @param hash SHA-256 in hex; where empty the usual authorities count
  /// @param timeFloor a time that has certainly passed
  public static Optional<SSLSocketFactory> pinned(String hash, Supplier<Instant> timeFloor)
      throws GeneralSecurityException {
    TrustManager manager =
        hash.isEmpty()
            ? new TimeAwareTrustManager(TlsAuthorities::runtimeAuthorities, timeFloor)
            : new PinnedTrustManager(hash, timeFloor);
    return Optional.of(context(manager).getSocketFactory());
  }

  private record PinnedTrustManager(String hash, Supplier<Instant> timeFloor) implements X509TrustManager {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
      try {
        for (X509Certificate each : chain) {
          byte[] digest = MessageDigest.getInstance("SHA-256").digest(each.getEncoded());
          if (HexFormat.of().formatHex(digest).equals(hash)) {
            new TimeAwareTrustManager(() -> Set.of(anchor(each)), timeFloor).checkServerTrusted(chain, kind);
            return;
          }
        }
      } catch (NoSuchAlgorithmException e) {
        throw new CertificateException(e);
      }
      throw new CertificateException("the server is not the one that the token names");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
      throw new CertificateException("clients are not accepted here");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
