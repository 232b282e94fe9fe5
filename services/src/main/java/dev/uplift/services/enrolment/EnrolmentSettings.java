package dev.uplift.services.enrolment;

import dev.uplift.protocol.enrolment.ServerAddress;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.nats.NatsJwt;
import dev.uplift.protocol.nats.Nkey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The settings of enrolment.
///
/// @param hostSigningKey the scoped key that signs the JWTs of hosts
/// @param operatorSigningKey the signing key of the operator, for the claims of the hosts' account
/// @param systemCredentials credentials of a user that may publish account claims
/// @param deviceAccount claims of the hosts' account, as a JWT, without revocations
/// @param otherAccounts claims of the other accounts, published as well
/// @param serverUrl how hosts reach this server
/// @param natsUrl how hosts reach NATS
/// @param certificateAuthorities certificates (PEM) of the authorities for both; empty: those of the system
public record EnrolmentSettings(
    Nkey hostSigningKey,
    Nkey operatorSigningKey,
    Path systemCredentials,
    String deviceAccount,
    List<String> otherAccounts,
    String serverUrl,
    String natsUrl,
    String certificateAuthorities) {
  /// How long a JWT is valid. A host renews it every day.
  public static final Duration JWT_LIFETIME = Duration.ofDays(30);

  /// Reads the files of one folder: `hosts-signing.nk`, `operator-signing.nk`, `system.creds`, `devices.jwt`, and,
  /// unless they are published by other means, `streams.jwt` and `system.jwt`.
  ///
  /// @throws IOException also if hosts would not reach server and NATS over TLS
  public static EnrolmentSettings read(Path folder, String server, String nats, String authorities) throws IOException {
    try {
      ServerAddress.requireHttps("UPLIFT_ENROLMENT_SERVER_URL (or UPLIFT_PUBLIC_URL)", server);
      ServerAddress.requireTls("UPLIFT_ENROLMENT_NATS_URL (or UPLIFT_NATS_URL)", nats);
    } catch (MalformedMessage e) {
      throw new IOException(e.getMessage(), e);
    }
    Nkey hostSigningKey = key(folder.resolve("hosts-signing.nk"));
    String account = claims(folder.resolve("devices.jwt"));
    if (!AccountClaims.isSigner(account, hostSigningKey)) {
      throw new IOException(folder + ": expected hosts-signing.nk to be one of the signing keys in devices.jwt");
    }
    List<String> others = new ArrayList<>();
    // Claims of the system account may end our connection to it.
    for (String name : List.of("streams.jwt", "system.jwt")) {
      if (Files.exists(folder.resolve(name))) {
        others.add(claims(folder.resolve(name)));
      }
    }
    return new EnrolmentSettings(
        hostSigningKey,
        key(folder.resolve("operator-signing.nk")),
        folder.resolve("system.creds"),
        account,
        others,
        server,
        nats,
        authorities);
  }

  private static String claims(Path file) throws IOException {
    String text = Files.readString(file).strip();
    try {
      var _ = NatsJwt.claims(text);
      return text;
    } catch (MalformedMessage e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static Nkey key(Path file) throws IOException {
    try {
      return Nkey.fromSeed(Files.readString(file).strip());
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }
}
