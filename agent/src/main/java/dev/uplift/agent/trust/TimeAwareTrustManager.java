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

/// Judges certificates of servers without asking the clock of the board, which may say 1970: one
/// that had ended before a time that is certainly past does not count. That one begins later than
/// that time says nothing, for it may be much later by now. Whoever is connected to has to be named
/// by its certificate, whether or not who connects asks for that.
final class TimeAwareTrustManager extends X509ExtendedTrustManager {
  /// Who may vouch for servers, at least one. Asked for each certificate, for it may change.
  interface Source {
    Set<TrustAnchor> authorities() throws IOException, GeneralSecurityException;
  }

  private final Source source;
  private final Supplier<Instant> timeFloor;

  /// @param timeFloor a time that is certainly past; asked for each certificate
  TimeAwareTrustManager(Source source, Supplier<Instant> timeFloor) {
    this.source = source;
    this.timeFloor = timeFloor;
  }

  private X509ExtendedTrustManager delegateFor(X509Certificate[] chain)
      throws CertificateException {
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
  public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket)
      throws CertificateException {
    delegateFor(chain).checkServerTrusted(chain, kind);
    if (socket instanceof SSLSocket secured) {
      ServerNameVerifier.verify(chain[0], secured.getHandshakeSession().getPeerHost());
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
      throws CertificateException {
    delegateFor(chain).checkServerTrusted(chain, kind);
    ServerNameVerifier.verify(chain[0], engine.getHandshakeSession().getPeerHost());
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
    throw new CertificateException("nobody is let in here");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, kind);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, kind);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
