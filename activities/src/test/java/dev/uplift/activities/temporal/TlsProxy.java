package dev.uplift.activities.temporal;

import dev.uplift.temporaldev.secrets.TlsCertificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/// Stands before a Temporal without TLS. Lets clients in that have a certificate of its authority.
final class TlsProxy implements AutoCloseable {
  private final SSLServerSocket server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final int target;

  TlsProxy(TlsCertificates certificates, String target) throws IOException, GeneralSecurityException {
    this.target = Integer.parseInt(target.substring(target.lastIndexOf(':') + 1));
    server =
        (SSLServerSocket)
            context(certificates).getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    SSLParameters parameters = server.getSSLParameters();
    parameters.setNeedClientAuth(true);
    parameters.setApplicationProtocols(new String[] {"h2"});
    server.setSSLParameters(parameters);
    threads.execute(this::accept);
  }

  private static SSLContext context(TlsCertificates certificates) throws IOException, GeneralSecurityException {
    char[] password = TlsCertificates.KEY_STORE_PASSWORD.toCharArray();
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(KeyStore.getInstance(certificates.keyStore().toFile(), password), password);
    PublicKey authority;
    try (var in = Files.newInputStream(certificates.caCertificate())) {
      authority = CertificateFactory.getInstance("X.509").generateCertificate(in).getPublicKey();
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), new TrustManager[] {new SignedBy(authority)}, null);
    return context;
  }

  String target() {
    return "localhost:" + server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Socket temporal = new Socket(InetAddress.getLoopbackAddress(), target);
        threads.execute(() -> copy(client, temporal));
        threads.execute(() -> copy(temporal, client));
      } catch (IOException _) {
        // Closed, or Temporal does not answer.
      }
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      var _ = from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException _) {
      // The handshake failed, or one side has closed.
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.shutdownNow();
  }

  /// Asks for the signature alone: the certificates of a stack are those of servers.
  private record SignedBy(PublicKey authority) implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
      try {
        chain[0].verify(authority);
      } catch (GeneralSecurityException e) {
        throw new CertificateException(e);
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
      throw new CertificateException("not a client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
