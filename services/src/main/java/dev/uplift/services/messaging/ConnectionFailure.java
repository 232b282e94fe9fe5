package dev.uplift.services.messaging;

/// Why a connection is not up.
///
/// @param text of NATS or its client, without secrets; may have addresses
public record ConnectionFailure(Kind kind, String text) {
  /// How far the connection has come.
  public enum Kind {
    /// NATS does not answer, or refuses the login.
    UNREACHABLE,

    /// NATS answers, and something fails that the server needs of it.
    NOT_READY,

    /// NATS answers, and cannot have the streams where they are wanted.
    PLACEMENT_REFUSED
  }

  static final ConnectionFailure LOST = new ConnectionFailure(Kind.UNREACHABLE, "the connection was lost");

  static ConnectionFailure unreachable(String url, Exception e) {
    return of(Kind.UNREACHABLE, "NATS at %s cannot be reached: %s".formatted(url, e));
  }

  /// Of a connection that is there.
  static ConnectionFailure notReady(Exception e) {
    return e instanceof StreamPlacement.Refused refused
        ? of(Kind.PLACEMENT_REFUSED, String.valueOf(refused.getMessage()))
        : of(Kind.NOT_READY, "NATS is there but not ready: " + e);
  }

  private static ConnectionFailure of(Kind kind, String text) {
    return new ConnectionFailure(kind, NatsSettings.withoutSecrets(text));
  }

  /// Returns what anybody may read: no address.
  public String publicText() {
    return switch (kind) {
      case UNREACHABLE -> "NATS cannot be reached, or refuses the login";
      case NOT_READY -> "NATS is there but not ready";
      case PLACEMENT_REFUSED -> text;
    };
  }
}
