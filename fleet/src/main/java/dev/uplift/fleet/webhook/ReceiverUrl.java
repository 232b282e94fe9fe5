package dev.uplift.fleet.webhook;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where a receiver is: `https://HOST:PORT/PATH?QUERY`, without a user and a fragment.
///
/// @param host a name or an IPv4 address
/// @param target path and query; begins with a slash
public record ReceiverUrl(boolean isEncrypted, String host, int port, String target) {
  private static final String LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
  private static final String PORT =
      "6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3}";
  private static final String CHARS = "[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2}";

  /// The form of a URL, for the API's documentation.
  public static final String PATTERN =
      "^https?://%1$s(\\.%1$s)*(:(%2$s))?(/(%3$s)*(\\?(%3$s|\\?)*)?)?$".formatted(LABEL, PORT, CHARS);

  private static final Pattern PARTS =
      Pattern.compile("(?<scheme>https?)://(?<host>[^:/]+)(:(?<port>[0-9]+))?(?<target>/.*)?");

  private static final Pattern VALID = Pattern.compile(PATTERN);
  private static final int HTTPS_PORT = 443;
  private static final int HTTP_PORT = 80;

  /// Reads a URL.
  ///
  /// @throws IllegalArgumentException if it is none, with a sentence for people
  public static ReceiverUrl parse(String url) {
    Matcher parts = PARTS.matcher(url);
    if (!VALID.matcher(url).matches() || !parts.matches()) {
      throw new IllegalArgumentException("expected a URL such as https://example.com/hooks/uplift");
    }
    boolean isEncrypted = parts.group("scheme").equals("https");
    String port = parts.group("port");
    String target = parts.group("target");
    return new ReceiverUrl(
        isEncrypted,
        parts.group("host"),
        port != null ? Integer.parseInt(port) : isEncrypted ? HTTPS_PORT : HTTP_PORT,
        target == null ? "/" : target);
  }

  /// Returns host and port as the header `Host` has them.
  public String authority() {
    return port == (isEncrypted ? HTTPS_PORT : HTTP_PORT) ? host : host + ":" + port;
  }
}
