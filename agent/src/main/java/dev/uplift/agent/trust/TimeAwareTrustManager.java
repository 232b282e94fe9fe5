package dev.uplift.agent.trust;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/// Validates certificates of servers without the clock of the board, which may say 1970: a certificate that had expired
/// before a time that has certainly passed is invalid. One that is not valid yet at that time is accepted, because it
/// may be much later by now. The certificate has to name the server, whether or not the caller asks for that.
final class TimeAwareTrustManager extends X509ExtendedTrustManager {
  /// The trusted authorities, at least one. Read for each certificate, because they may change.
  interface Source {
    Set<TrustAnchor> authorities() throws IOException, GeneralSecurityException;
  }

  private final Source source;
  private final Supplier<Instant> timeFloor;

  /// @param timeFloor a time that has certainly passed; asked for each certificate
  TimeAwareTrustManager(Source source, Supplier<Instant> timeFloor) {
    this.source = source;
    this.timeFloor = timeFloor;
  }

  private X509ExtendedTrustManager delegateFor(X509Certificate[] chain) throws CertificateException {
    Instant now = timeFloor.get();
    for (X509Certificate each : chain) {
      now = TrustedTimeFloor.later(now, each.getNotBefore().toInstant());
    }
    // One that is trusted itself would be taken whatever its dates are.
    chain[0].checkValidity(Date.from(now));
    try {
      var parameters = new PKIXBuilderParameters(source.authorities(), new X509CertSelector());
      parameters.setDate(Date.from(now));
      parameters.setRevocationEnabled(false);
      var managers = TrustManagerFactory.getInstance("PKIX");
      managers.init(new CertPathTrustManagerParameters(parameters));
      return (X509ExtendedTrustManager) managers.getTrustManagers()[0];
    } catch (IOException | GeneralSecurityException e) {
      throw new CertificateException(e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
    delegateFor(chain).checkServerTrusted(chain, kind);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket) throws CertificateException {
    delegateFor(chain).checkServerTrusted(chain, kind);
    if (socket instanceof SSLSocket secured) {
      ServerNameVerifier.verify(chain[0], secured.getHandshakeSession().getPeerHost());
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine) throws CertificateException {
    delegateFor(chain).checkServerTrusted(chain, kind);
    ServerNameVerifier.verify(chain[0], engine.getHandshakeSession().getPeerHost());
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
    throw new CertificateException("clients are not accepted here");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket) throws CertificateException {
    checkClientTrusted(chain, kind);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine) throws CertificateException {
    checkClientTrusted(chain, kind);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
