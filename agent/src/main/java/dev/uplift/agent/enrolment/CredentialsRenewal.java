package dev.uplift.agent.enrolment;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.NatsJwt;
import dev.uplift.protocol.nats.Nkey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// Renews the host's NATS user JWT every day, and sooner if NATS refuses the host. The new one is in the file before it
/// is needed, and is read at the next login.
public final class CredentialsRenewal {
  private static final System.Logger LOG = System.getLogger(CredentialsRenewal.class.getName());

  private final HostIdentity identity;
  private final FileOps files;

  public CredentialsRenewal(HostIdentity identity, FileOps files) {
    this.identity = identity;
    this.files = files;
  }

  /// Both are spread by a fifth, so that not all hosts renew at once.
  ///
  /// @param maxAge after which a user JWT is renewed
  /// @param check between two checks of its age and of NATS
  public record Intervals(Duration maxAge, Duration check) {}

  /// From now on, until the process ends.
  ///
  /// @param connected whether NATS lets the host in
  /// @param timeFloor a time that has certainly passed
  public void start(Intervals intervals, BooleanSupplier connected, Supplier<Instant> timeFloor) {
    Thread.ofVirtual().name("renewal").start(() -> run(intervals, connected, timeFloor));
  }

  private void run(Intervals intervals, BooleanSupplier connected, Supplier<Instant> timeFloor) {
    Duration age = age(timeFloor.get());
    while (true) {
      Duration pause = jitter(intervals.check());
      try {
        Thread.sleep(pause);
      } catch (InterruptedException _) {
        return;
      }
      age = age.plus(pause);
      if (!connected.getAsBoolean() || age.compareTo(intervals.maxAge()) > 0) {
        age = Duration.ZERO;
        tryRenew();
      }
    }
  }

  /// The least age of the user JWT: so a host that is off every night renews it, too.
  private Duration age(Instant timeFloor) {
    try {
      JsonObject claims = JsonObject.parse(NatsJwt.claims(Credentials.read(identity.credentialsFile()).jwt()));
      return Duration.ofSeconds(Math.max(0, timeFloor.getEpochSecond() - claims.number("iat")));
    } catch (IOException | MalformedMessage _) {
      return Duration.ZERO;
    }
  }

  private static Duration jitter(Duration pause) {
    return pause.plusMillis(RandomGenerator.getDefault().nextLong(pause.toMillis() / 5 + 1));
  }

  private void tryRenew() {
    try {
      if (renew().rotateKey()) {
        rotate();
      }
    } catch (ServerUnavailable | IOException e) {
      LOG.log(WARNING, "cannot renew the NATS user JWT now: {0}", e.getMessage());
    } catch (ServerRejected e) {
      LOG.log(WARNING, "the NATS user JWT was not renewed: {0}, {1}", e.code(), e.getMessage());
    }
  }

  /// Gets another user JWT for the same key.
  public EnrolmentResponse renew() throws IOException, ServerRejected, ServerUnavailable {
    try (var _ = identity.lock()) {
      return renewLocked();
    }
  }

  private EnrolmentResponse renewLocked() throws IOException, ServerRejected, ServerUnavailable {
    JsonObject host = identity.readHost();
    Nkey key = key();
    String tenant = host.string("tenant");
    String name = host.string("host");
    EnrolmentResponse enrolmentResponse =
        client(host).renew(challenge -> RenewRequest.of(tenant, name, key, challenge));
    identity.update(files, enrolmentResponse, key);
    LOG.log(INFO, "renewed the host's NATS user JWT");
    return enrolmentResponse;
  }

  /// Another key. The old one is good until the new one is on the disk and was shown to the server; then NATS ends the
  /// connection that was made with it, and the agent logs in with the new one.
  public void rotate() throws IOException, ServerRejected, ServerUnavailable {
    try (var _ = identity.lock()) {
      rotateLocked();
    }
  }

  private void rotateLocked() throws IOException, ServerRejected, ServerUnavailable {
    JsonObject host = identity.readHost();
    String tenant = host.string("tenant");
    String name = host.string("host");
    Path pending = identity.link().toRealPath().resolve(".next");
    if (!Files.exists(pending)) {
      files.writePrivate(pending, Nkey.generate(Nkey.Kind.USER).seed().getBytes(UTF_8));
    }
    Nkey next = Nkey.fromSeed(Files.readString(pending));
    EnrolmentResponse enrolmentResponse;
    try {
      Nkey key = key();
      enrolmentResponse = client(host).renew(challenge -> RenewRequest.of(tenant, name, key, next, challenge));
    } catch (ServerRejected e) {
      // It may be one that was good once: the next try takes another.
      files.delete(pending);
      throw e;
    }
    identity.update(files, enrolmentResponse, next);
    files.delete(pending);
    var _ = renewLocked();
    LOG.log(INFO, "rotated the host's key");
  }

  private Nkey key() throws IOException {
    return Credentials.read(identity.credentialsFile()).key();
  }

  private EnrolmentClient client(JsonObject host) {
    return new EnrolmentClient(host.string("server_url"), Optional.empty());
  }
}
