package dev.uplift.services.diagnosis;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/// Reads the certificates that a server presents, also those that have expired or that no client of it would trust. It
/// trusts none of them itself, so it ends each handshake and sends nothing else.
public final class PresentedCertificates {
  private static final int TIMEOUT_MS = 3000;

  private PresentedCertificates() {}

  /// What a server sends before its handshake.
  public interface Preface {
    /// A server that begins with the handshake.
    Preface NONE = _ -> {};

    /// Reads all of it, and nothing of the handshake.
    void read(InputStream in) throws IOException;
  }

  /// Reads the certificates of a server, its own first, at the first of its addresses that answers. Takes some seconds
  /// at most for each.
  ///
  /// @param protocols by ALPN; none if the server does not ask
  /// @throws IOException if it does not answer, or not with TLS
  public static List<X509Certificate> read(String host, int port, Preface preface, String... protocols)
      throws IOException {
    IOException unreachable = new UnknownHostException(host);
    for (InetAddress address : InetAddress.getAllByName(host)) {
      try {
        return read(new InetSocketAddress(address, port), host, preface, protocols);
      } catch (ConnectException | SocketTimeoutException e) {
        unreachable = e;
      }
    }
    throw unreachable;
  }

  private static List<X509Certificate> read(
      InetSocketAddress address, String host, Preface preface, String... protocols) throws IOException {
    var recorder = new CertificateRecorder();
    try (Socket socket = new Socket()) {
      socket.connect(address, TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      preface.read(socket.getInputStream());
      try (SSLSocket encrypted = wrap(socket, host, address.getPort(), recorder)) {
        SSLParameters parameters = encrypted.getSSLParameters();
        parameters.setApplicationProtocols(protocols);
        encrypted.setSSLParameters(parameters);
        encrypted.startHandshake();
      }
    } catch (SSLException e) {
      if (recorder.chain.isEmpty()) {
        throw e;
      }
    }
    return recorder.chain;
  }

  private static SSLSocket wrap(Socket socket, String host, int port, CertificateRecorder recorder) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {recorder}, null);
      return (SSLSocket) context.getSocketFactory().createSocket(socket, host, port, true);
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  /// Trusts no chain.
  private static final class CertificateRecorder implements X509TrustManager {
    private List<X509Certificate> chain = List.of();

    @Override
    public void checkServerTrusted(X509Certificate[] presented, String type) throws CertificateException {
      chain = List.of(presented);
      throw new CertificateException("it was read only");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] presented, String type) throws CertificateException {
      throw new CertificateException("not a server");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
