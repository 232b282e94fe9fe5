package dev.uplift.agent.trust;

import java.net.InetAddress;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Verifies that a server is the one that was asked for, and not another one of the same authority. The runtime has
/// such a check, which loads all its authorities for it, a MiB of them, and which the NATS library does not use.
final class ServerNameVerifier {
  private static final int TYPE_DNS = 2;
  private static final int TYPE_ADDRESS = 7;

  private ServerNameVerifier() {}

  /// @param host name or address, as it was asked for
  /// @throws CertificateException where none of the certificate's alternative names is that
  static void verify(X509Certificate certificate, String host) throws CertificateException {
    String wanted = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    @Nullable InetAddress address = address(wanted);
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    for (List<?> each : names == null ? List.<List<?>>of() : names) {
      if (each.get(1) instanceof String name
          && (address == null
              ? each.get(0).equals(TYPE_DNS) && matches(name, wanted)
              : each.get(0).equals(TYPE_ADDRESS) && address.equals(address(name)))) {
        return;
      }
    }
    throw new CertificateException("the certificate is not one of " + host);
  }

  /// A star stands for one label, the first, and not for that of a whole top level domain.
  private static boolean matches(String name, String host) {
    if (!name.startsWith("*.")) {
      return name.equalsIgnoreCase(host);
    }
    int dot = host.indexOf('.');
    return dot > 0 && name.indexOf('.', 2) > 0 && name.substring(1).equalsIgnoreCase(host.substring(dot));
  }

  private static @Nullable InetAddress address(String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException _) {
      return null;
    }
  }
}
