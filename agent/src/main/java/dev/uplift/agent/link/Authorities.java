package dev.uplift.agent.link;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/// Who may vouch for the servers that the agent talks to. The clock of the board is not asked
/// whether a certificate is still good: [DatedTrust].
public final class Authorities {
  private Authorities() {}

  /// From now on the certificates of this file (PEM) are the only ones that count in this process,
  /// for NATS and for artifacts; without a file, those of the runtime. The file is read again for
  /// each connection, so that another authority can be added while the agent runs.
  ///
  /// @param past a time that is certainly past
  public static void trustOnly(Optional<Path> pem, Supplier<Instant> past)
      throws IOException, GeneralSecurityException {
    KeyStore trusted = pem.isPresent() ? read(pem.get()) : usual();
    DatedTrust.Source source = pem.isPresent() ? () -> read(pem.get()) : () -> trusted;
    SSLContext.setDefault(context(new DatedTrust(source, past)));
  }

  private static KeyStore read(Path pem) throws IOException, GeneralSecurityException {
    KeyStore trusted = empty();
    try (InputStream in = Files.newInputStream(pem)) {
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry(Integer.toString(number++), each);
      }
      if (number == 0) {
        throw new GeneralSecurityException(pem + ": expected a certificate, found none");
      }
    }
    return trusted;
  }

  private static KeyStore usual() throws IOException, GeneralSecurityException {
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init((KeyStore) null);
    KeyStore trusted = empty();
    int number = 0;
    for (X509Certificate each :
        ((X509TrustManager) managers.getTrustManagers()[0]).getAcceptedIssuers()) {
      trusted.setCertificateEntry(Integer.toString(number++), each);
    }
    return trusted;
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static SSLContext context(TrustManager manager) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {manager}, null);
    return context;
  }

  /// Sockets to a server for which the certificate of this hash vouches, which it has to show.
  ///
  /// @param hash SHA-256 in hex; where empty the usual authorities count
  /// @param past a time that is certainly past
  public static Optional<SSLSocketFactory> pinned(String hash, Supplier<Instant> past)
      throws IOException, GeneralSecurityException {
    TrustManager manager =
        hash.isEmpty() ? new DatedTrust(Authorities::usual, past) : new Pinned(hash, past);
    return Optional.of(context(manager).getSocketFactory());
  }

  private record Pinned(String hash, Supplier<Instant> past) implements X509TrustManager {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind)
        throws CertificateException {
      try {
        for (X509Certificate each : chain) {
          byte[] digest = MessageDigest.getInstance("SHA-256").digest(each.getEncoded());
          if (HexFormat.of().formatHex(digest).equals(hash)) {
            KeyStore trusted = empty();
            trusted.setCertificateEntry("pinned", each);
            new DatedTrust(() -> trusted, past).checkServerTrusted(chain, kind);
            return;
          }
        }
      } catch (CertificateException e) {
        throw e;
      } catch (GeneralSecurityException | IOException e) {
        throw new CertificateException(e);
      }
      throw new CertificateException("the server is not the one that the token names");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind)
        throws CertificateException {
      throw new CertificateException("nobody is let in here");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
