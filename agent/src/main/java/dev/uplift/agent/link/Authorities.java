package dev.uplift.agent.link;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Who may vouch for the servers that the agent talks to.
public final class Authorities {
  private Authorities() {}

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
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    SSLContext.setDefault(context);
  }
}
