package dev.uplift.services.messaging;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Trusts servers with a certificate of the configured authorities, or of the JDK's if none are configured. Checks as
/// well that the certificate names the server: the client library of NATS does not, and would accept any valid
/// certificate.
///
/// The file of the authorities may be exchanged: it is read for each certificate, because the client library keeps the
/// context that it was given for all later connections.
final class HostnameVerifyingTrustManager extends X509ExtendedTrustManager {
  private static final Logger LOG = LoggerFactory.getLogger(HostnameVerifyingTrustManager.class);

  private final Optional<Path> pem;
  private X509ExtendedTrustManager lastRead;

  private HostnameVerifyingTrustManager(Optional<Path> pem) throws IOException, GeneralSecurityException {
    this.pem = pem;
    this.lastRead = build(pem);
  }

  /// @param pem certificates
  static SSLContext sslContext(Optional<Path> pem) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new HostnameVerifyingTrustManager(pem)}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(pem.map(file -> file + ": ").orElse("") + e.getMessage(), e);
    }
  }

  private static X509ExtendedTrustManager build(Optional<Path> pem) throws IOException, GeneralSecurityException {
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(pem.isPresent() ? read(pem.get()) : null);
    return (X509ExtendedTrustManager) managers.getTrustManagers()[0];
  }

  /// Returns the authorities in the file, or those from before if it cannot be used.
  private synchronized X509ExtendedTrustManager current() {
    if (pem.isPresent()) {
      try {
        lastRead = build(pem);
      } catch (IOException | GeneralSecurityException e) {
        LOG.debug("{}: cannot be used, so the authorities of NATS from before stay in use", pem.get(), e);
      }
    }
    return lastRead;
  }

  private static KeyStore read(Path pem) throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(pem)) {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry(Integer.toString(number++), each);
      }
      if (number == 0) {
        throw new CertificateException("expected certificates");
      }
      return trusted;
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind, @Nullable Socket socket)
      throws CertificateException {
    if (socket instanceof SSLSocket secure) {
      SSLParameters parameters = secure.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      secure.setSSLParameters(parameters);
    }
    current().checkServerTrusted(chain, kind, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
    throw new CertificateException("no host name to check the certificate against");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind, @Nullable SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, kind);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
    throw new CertificateException("clients are not accepted here");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind, @Nullable Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, kind);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind, @Nullable SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, kind);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return current().getAcceptedIssuers();
  }
}
