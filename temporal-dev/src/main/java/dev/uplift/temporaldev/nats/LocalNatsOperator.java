package dev.uplift.temporaldev.nats;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.nats.NatsKeyFolder;
import dev.uplift.cli.nats.RotatableNatsKey;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.NatsJwt;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.UserJwtFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.apache.commons.io.file.PathUtils;
import org.apache.commons.io.function.Uncheck;

/// The NATS operator of a stack: its [NatsKeyFolder], created at the first use and then kept, and credentials for
/// clients without enrolment.
public final class LocalNatsOperator {
  /// Validity of the JWTs that are issued here.
  private static final Duration CREDENTIALS_VALIDITY = Duration.ofDays(365);

  private final Path folder;
  private final NatsKeyFolder keyFolder;

  public LocalNatsOperator(Path folder) {
    this.folder = folder;
    this.keyFolder = new NatsKeyFolder(folder.resolve("keys"), folder.resolve("keys/offline"));
  }

  /// Returns the keys. If an earlier creation was interrupted, creates all of them again.
  public synchronized NatsKeyFolder keyFolder() {
    if (!keyFolder.isComplete()) {
      if (Files.exists(folder)) {
        Uncheck.run(() -> PathUtils.deleteDirectory(folder));
      }
      keyFolder.create();
    }
    var _ = keyFolder.createFleetKey();
    return keyFolder;
  }

  /// Returns the credentials of the Uplift server.
  public Path serverCredentials() {
    return keyFolder().serverCredentials();
  }

  /// Returns the credentials of a simulator for the hosts of a tenant. Its inboxes are `_INBOX.<tenant>.…`.
  public Path fleetCredentials(String tenant) {
    return createCredentials(
        folder.resolve("fleet").resolve(tenant + ".creds"),
        keyFolder().createFleetKey(),
        (userJwtFactory, key) -> userJwtFactory.fleet(key, tenant, userJwtFactory.now().plus(CREDENTIALS_VALIDITY)));
  }

  /// Writes the credentials of a host without enrolment, unless they exist.
  public Path createHostCredentials(Path file, String tenant, String host) {
    return createCredentials(
        file,
        keyFolder().enrolmentFolder().resolve(RotatableNatsKey.HOSTS_SIGNING + ".nk"),
        (userJwtFactory, key) ->
            userJwtFactory.host(key, tenant, host, userJwtFactory.now().plus(CREDENTIALS_VALIDITY)));
  }

  private interface JwtIssuer {
    NatsJwt issue(UserJwtFactory userJwtFactory, String key);
  }

  private synchronized Path createCredentials(Path file, Path signer, JwtIssuer jwtIssuer) {
    var _ =
        PrivateFile.readOrCreate(
            file,
            () -> {
              Nkey own = Nkey.generate(Nkey.Kind.USER);
              var userJwtFactory = new UserJwtFactory(keyFolder.accountPublicKey("devices"), Instant.now());
              Nkey key = Nkey.fromSeed(PrivateFile.read(signer));
              return new Credentials(jwtIssuer.issue(userJwtFactory, own.publicKey()).sign(key), own).format();
            });
    return file;
  }
}
