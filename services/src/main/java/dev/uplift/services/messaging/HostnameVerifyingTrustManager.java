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

/// Trusts servers with a certificate of the configured authorities, or of the JDK's if none are configured. Checks as
/// well that the certificate names the server: the client library of NATS does not, and would accept any valid
/// certificate.
final class HostnameVerifyingTrustManager extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager delegate;

  private HostnameVerifyingTrustManager(X509ExtendedTrustManager delegate) {
    this.delegate = delegate;
  }

  /// @param pem certificates; read again for each connection
  static SSLContext sslContext(Optional<Path> pem) throws IOException {
    try {
      var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(pem.isPresent() ? read(pem.get()) : null);
      SSLContext context = SSLContext.getInstance("TLS");
      var judge = (X509ExtendedTrustManager) managers.getTrustManagers()[0];
      context.init(null, new TrustManager[] {new HostnameVerifyingTrustManager(judge)}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(pem.map(file -> file + ": ").orElse("") + e.getMessage(), e);
    }
  }

  private static KeyStore read(Path pem) throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(pem)) {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry(Integer.toString(number++), each);
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
    delegate.checkServerTrusted(chain, kind, socket);
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
    return delegate.getAcceptedIssuers();
  }
}
