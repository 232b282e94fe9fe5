package dev.uplift.services.enrolment;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.uplift.protocol.enrolment.ServerAddress;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.NatsJwt;
import dev.uplift.protocol.nats.Nkey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// The settings of enrolment.
///
/// @param folder of the keys and claims
/// @param hostSigningKey the scoped key that signs the JWTs of hosts
/// @param operatorSigningKey the signing key of the operator, for the claims of the accounts
/// @param deviceAccount claims of the hosts' account, as a JWT, without revocations
/// @param streamsAccount claims of the account of streams; empty if they are published by other means
/// @param systemAccount claims of the system account; empty likewise
/// @param serverUrl how hosts reach this server
/// @param natsUrl how hosts reach NATS
/// @param certificateAuthorities certificates (PEM) of the authorities for both; empty: those of the system
public record EnrolmentSettings(
    Path folder,
    Nkey hostSigningKey,
    Nkey operatorSigningKey,
    String deviceAccount,
    Optional<String> streamsAccount,
    Optional<String> systemAccount,
    String serverUrl,
    String natsUrl,
    String certificateAuthorities) {
  /// How long a JWT is valid. A host renews it every day.
  public static final Duration JWT_LIFETIME = Duration.ofDays(30);

  private static final String HOSTS_SIGNING = "hosts-signing.nk";
  private static final String OPERATOR_SIGNING = "operator-signing.nk";
  private static final String DEVICES = "devices.jwt";
  private static final String STREAMS = "streams.jwt";
  private static final String SYSTEM = "system.jwt";
  private static final String SYSTEM_CREDENTIALS = "system.creds";

  /// Reads the files of one folder: `hosts-signing.nk`, `operator-signing.nk`, `system.creds`, `devices.jwt`, and,
  /// unless they are published by other means, `streams.jwt` and `system.jwt`.
  ///
  /// @throws IOException also if one of them is incomplete or does not belong to another, or if hosts would not reach
  ///   server and NATS over TLS
  public static EnrolmentSettings read(Path folder, String server, String nats, String authorities) throws IOException {
    try {
      ServerAddress.requireHttps("UPLIFT_ENROLMENT_SERVER_URL (or UPLIFT_PUBLIC_URL)", server);
      ServerAddress.requireTls("UPLIFT_ENROLMENT_NATS_URL (or UPLIFT_NATS_URL)", nats);
    } catch (MalformedMessage e) {
      throw new IOException(e.getMessage(), e);
    }
    Nkey hostSigningKey = key(folder.resolve(HOSTS_SIGNING), Nkey.Kind.ACCOUNT);
    String account = claims(folder.resolve(DEVICES));
    if (!AccountClaims.isSigner(account, hostSigningKey)) {
      throw new IOException(folder + ": expected hosts-signing.nk to be one of the signing keys in devices.jwt");
    }
    var settings =
        new EnrolmentSettings(
            folder,
            hostSigningKey,
            key(folder.resolve(OPERATOR_SIGNING), Nkey.Kind.OPERATOR),
            account,
            claimsIfPresent(folder.resolve(STREAMS)),
            claimsIfPresent(folder.resolve(SYSTEM)),
            server,
            nats,
            authorities);
    var _ = AccountCredentials.read(settings.systemCredentials(), settings.systemAccount);
    return settings;
  }

  /// Returns these settings, whose claims of the account of streams accept the credentials of this server.
  ///
  /// @param credentials with which the server logs in to NATS
  /// @throws IOException if they do not, or if the file is incomplete
  public EnrolmentSettings requireAccepted(Path credentials) throws IOException {
    var _ = AccountCredentials.read(credentials, streamsAccount);
    return this;
  }

  private static Optional<String> claimsIfPresent(Path file) throws IOException {
    return Files.exists(file) ? Optional.of(claims(file)) : Optional.empty();
  }

  private static String claims(Path file) throws IOException {
    String text = Files.readString(file).strip();
    try {
      requireSignature(text);
      return text;
    } catch (MalformedMessage | IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  /// @throws MalformedMessage if it is no JWT
  /// @throws IllegalArgumentException unless its issuer has signed it
  static void requireSignature(String jwt) {
    String issuer = JsonObject.parse(NatsJwt.claims(jwt)).string("iss");
    int end = jwt.lastIndexOf('.');
    byte[] signature = Base64.getUrlDecoder().decode(jwt.substring(end + 1));
    if (!Nkey.verify(issuer, jwt.substring(0, end).getBytes(US_ASCII), signature)) {
      throw new IllegalArgumentException("expected the signature of " + issuer + "; the file may be incomplete");
    }
  }

  private static Nkey key(Path file, Nkey.Kind kind) throws IOException {
    try {
      Nkey key = Nkey.fromSeed(Files.readString(file).strip());
      if (!Nkey.isPublicKey(kind, key.publicKey())) {
        throw new IOException("%s: expected a key of the kind %s".formatted(file, kind));
      }
      return key;
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  /// Reads the files again, while the server runs.
  ///
  /// @param authorities as they are now
  /// @throws IOException as [#read], and if an account is another one: nats-server and hosts know these
  public EnrolmentSettings readAgain(String authorities) throws IOException {
    EnrolmentSettings next = read(folder, serverUrl, natsUrl, authorities);
    requireSameAccount(DEVICES, Optional.of(deviceAccount), Optional.of(next.deviceAccount));
    requireSameAccount(STREAMS, streamsAccount, next.streamsAccount);
    requireSameAccount(SYSTEM, systemAccount, next.systemAccount);
    next.requireCertificates();
    return next;
  }

  private void requireSameAccount(String file, Optional<String> before, Optional<String> next) throws IOException {
    if (before.isPresent() && next.isPresent() && !account(before.get()).equals(account(next.get()))) {
      throw new IOException(
          "%s: expected the account %s, as at the start of the server: another one takes a restart"
              .formatted(folder.resolve(file), account(before.get())));
    }
  }

  private static String account(String claims) {
    return JsonObject.parse(NatsJwt.claims(claims)).string("sub");
  }

  private void requireCertificates() throws IOException {
    try {
      if (!certificateAuthorities.isEmpty()
          && CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(certificateAuthorities.getBytes(US_ASCII)))
              .isEmpty()) {
        throw new IOException("UPLIFT_ENROLMENT_CA_FILE: expected certificates");
      }
    } catch (CertificateException e) {
      throw new IOException("UPLIFT_ENROLMENT_CA_FILE: expected certificates (%s)".formatted(e.getMessage()), e);
    }
  }

  /// Returns the files that were read, and those that may appear.
  public List<Path> files() {
    return Stream.of(HOSTS_SIGNING, OPERATOR_SIGNING, DEVICES, STREAMS, SYSTEM, SYSTEM_CREDENTIALS)
        .map(folder::resolve)
        .toList();
  }

  /// Returns whether the files held what those of others did, except for the credentials, which are read at each login.
  boolean isSameAs(EnrolmentSettings other) {
    return hostSigningKey.publicKey().equals(other.hostSigningKey.publicKey())
        && operatorSigningKey.publicKey().equals(other.operatorSigningKey.publicKey())
        && deviceAccount.equals(other.deviceAccount)
        && Objects.equals(streamsAccount, other.streamsAccount)
        && Objects.equals(systemAccount, other.systemAccount)
        && certificateAuthorities.equals(other.certificateAuthorities);
  }

  /// Returns the public key of the hosts' account.
  String deviceAccountKey() {
    return account(deviceAccount);
  }

  /// Returns the file of the credentials of a user that may publish claims of accounts.
  Path systemCredentials() {
    return folder.resolve(SYSTEM_CREDENTIALS);
  }

  /// Reads these credentials, for a login.
  ///
  /// @throws IOException also if the claims of the system account that are beside them now do not accept them
  Credentials readSystemCredentials() throws IOException {
    return AccountCredentials.read(systemCredentials(), claimsIfPresent(folder.resolve(SYSTEM)));
  }
}
