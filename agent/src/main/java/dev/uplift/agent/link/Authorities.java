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
import java.util.HexFormat;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/// Who may vouch for the servers that the agent talks to.
public final class Authorities {
  private Authorities() {}

  /// Sockets to a server for which the certificate of this hash vouches, which it has to show.
  ///
  /// @param hash SHA-256 in hex; where empty the usual authorities count
  public static Optional<SSLSocketFactory> pinned(String hash) throws GeneralSecurityException {
    if (hash.isEmpty()) {
      return Optional.empty();
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Pinned(hash)}, null);
    return Optional.of(context.getSocketFactory());
  }

  private record Pinned(String hash) implements X509TrustManager {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind)
        throws CertificateException {
      try {
        for (X509Certificate each : chain) {
          if (HexFormat.of()
              .formatHex(MessageDigest.getInstance("SHA-256").digest(each.getEncoded()))
              .equals(hash)) {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("pinned", each);
            managerFor(trusted).checkServerTrusted(chain, kind);
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

  private static X509TrustManager managerFor(KeyStore trusted) throws GeneralSecurityException {
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    return (X509TrustManager) trust.getTrustManagers()[0];
  }

  /// From now on the certificates of this file (PEM) are the only ones that count in this process,
  /// for NATS and for artifacts.
  public static void trustOnly(Path pem) throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(pem)) {
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry(Integer.toString(number++), each);
      }
      if (number == 0) {
        throw new GeneralSecurityException(pem + ": expected a certificate, found none");
      }
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {managerFor(trusted)}, null);
    SSLContext.setDefault(context);
  }
}
