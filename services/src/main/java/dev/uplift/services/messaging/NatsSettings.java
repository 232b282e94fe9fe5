package dev.uplift.services.messaging;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// How to connect to NATS.
///
/// @param url one address or several, separated by commas
/// @param credentialsFile file with JWT and key; none if the server requires none. Read again for every login, so that
///   it may change
/// @param certificateAuthorities certificates (PEM) of the authorities that NATS' certificate is checked against;
///   empty: those of the JDK
/// @param placement of a stream that is created; an existing one keeps what its operator chose
/// @param streamSizes the same
public record NatsSettings(
    String url,
    Optional<Path> credentialsFile,
    Optional<Path> certificateAuthorities,
    StreamPlacement placement,
    StreamSizes streamSizes) {
  private static final int DEFAULT_PORT = 4222;

  /// What may stand before a host: a user with a password, or a token.
  private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/,\\s]*@");

  public NatsSettings(String url, Optional<Path> credentialsFile, Optional<Path> certificateAuthorities, int replicas) {
    this(url, credentialsFile, certificateAuthorities, new StreamPlacement(replicas), StreamSizes.DEFAULTS);
  }

  /// Reads the certificates of the authorities, to see whether a connection could use them.
  ///
  /// @throws IOException if it could not
  public void checkAuthorities() throws IOException {
    var _ = HostnameVerifyingTrustManager.sslContext(certificateAuthorities);
  }

  /// Returns a text about addresses, such as those of the settings, without passwords and tokens.
  public static String withoutSecrets(String text) {
    return USER_INFO.matcher(text).replaceAll("…@");
  }

  /// Returns the addresses, each as scheme, host and port, so that they can be shown: the whole may hold a password.
  List<URI> addresses() {
    return Stream.of(url.split(",", -1)).map(each -> address(each.strip())).toList();
  }

  private static URI address(String text) {
    URI whole = URI.create(text.contains("://") ? text : "nats://" + text);
    int port = whole.getPort() < 0 ? DEFAULT_PORT : whole.getPort();
    return URI.create("%s://%s:%d".formatted(whole.getScheme(), whole.getHost(), port));
  }

  /// Returns whether the connection is encrypted.
  boolean usesTls() {
    return certificateAuthorities.isPresent() || url.contains("tls://");
  }

  public static NatsSettings of(String url, Path credentials) {
    return new NatsSettings(url, Optional.of(credentials), Optional.empty(), 1);
  }
}
