package dev.uplift.protocol.enrolment;

import dev.uplift.protocol.FieldLimits;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/// Requires that hosts reach servers over TLS: what a host receives when it joins decides whom it obeys. Plain
/// connections are accepted on the host itself only.
public final class ServerAddress {
  private ServerAddress() {}

  /// Throws [dev.uplift.protocol.json.MalformedMessage] unless it is `https://`, or `http://` of the same machine.
  public static void requireHttps(String name, String url) {
    requireSecure(name, url, "https", "http");
  }

  /// As above, for each of the addresses of NATS, which are separated by commas: `tls://`, or `nats://` of the same
  /// machine.
  public static void requireTls(String name, String urls) {
    for (String url : urls.split(",", -1)) {
      requireSecure(name, url.strip(), "tls", "nats");
    }
  }

  private static void requireSecure(String name, String url, String secure, String plain) {
    String expected = "%s://, or %s:// of this machine (127.0.0.1, localhost)".formatted(secure, plain);
    FieldLimits.require(isSecure(url, secure, plain), name, expected);
  }

  private static boolean isSecure(String url, String secure, String plain) {
    try {
      URI address = new URI(url);
      boolean hasHost = address.getHost() != null && address.getUserInfo() == null;
      return hasHost
          && (secure.equalsIgnoreCase(address.getScheme())
              || (plain.equalsIgnoreCase(address.getScheme()) && isLoopback(address.getHost())));
    } catch (URISyntaxException _) {
      return false;
    }
  }

  /// By its text: a name that is looked up may mean any machine.
  private static boolean isLoopback(@Nullable String host) {
    return host != null
        && (host.equalsIgnoreCase("localhost")
            || host.equals("[::1]")
            || host.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}"));
  }
}
