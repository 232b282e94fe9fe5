package dev.uplift.agent.join;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.link.Away;
import dev.uplift.protocol.Fields;
import dev.uplift.protocol.enrolment.Admission;
import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/// Keeps the host's ticket good: asks for the next one every day, and sooner where NATS lets the
/// host in no more. The new one is in the file before it is needed, and is read at the next login.
public final class Renewal {
  private static final System.Logger LOG = System.getLogger(Renewal.class.getName());
  private static final Duration USUALLY = Duration.ofHours(24);
  private static final Duration UNLESS_CONNECTED = Duration.ofMinutes(5);

  private final Identity identity;
  private final FileOps files;

  public Renewal(Identity identity, FileOps files) {
    this.identity = identity;
    this.files = files;
  }

  /// From now on, until the process ends.
  ///
  /// @param connected whether NATS lets the host in
  public void start(BooleanSupplier connected) {
    Thread.ofVirtual().name("renewal").start(() -> run(connected));
  }

  private void run(BooleanSupplier connected) {
    Duration since = Duration.ZERO;
    while (true) {
      Duration pause = spread(UNLESS_CONNECTED);
      try {
        Thread.sleep(pause);
      } catch (InterruptedException _) {
        return;
      }
      since = since.plus(pause);
      if (!connected.getAsBoolean() || since.compareTo(USUALLY) > 0) {
        since = Duration.ZERO;
        tryOnce();
      }
    }
  }

  private static Duration spread(Duration pause) {
    return pause.plusMillis(RandomGenerator.getDefault().nextLong(pause.toMillis() / 5));
  }

  private void tryOnce() {
    try {
      if (renew().rotate()) {
        rotate();
      }
    } catch (Away | IOException e) {
      LOG.log(WARNING, "the next ticket is asked for later: {0}", e.getMessage());
    } catch (Refused e) {
      LOG.log(WARNING, "no next ticket: {0}, {1}", e.code(), e.getMessage());
    }
  }

  /// Another ticket for the same key.
  public Admission renew() throws IOException, Refused, Away {
    Fields host = identity.read();
    Nkey key = key();
    Admission admission =
        registrar(host).renew(RenewRequest.of(host.text("tenant"), host.text("host"), key));
    identity.renew(files, admission, key);
    return admission;
  }

  /// Another key. The old one is good until the new one is on the disk and was shown to the server;
  /// then NATS ends the connection that was made with it, and the agent logs in with the new one.
  public void rotate() throws IOException, Refused, Away {
    Fields host = identity.read();
    String tenant = host.text("tenant");
    String name = host.text("host");
    Path pending = identity.link().toRealPath().resolve(".next");
    if (!Files.exists(pending)) {
      files.writeHidden(pending, Nkey.generate(Nkey.Kind.USER).seed().getBytes(UTF_8));
    }
    Nkey next = Nkey.ofSeed(Files.readString(pending));
    Admission admission = registrar(host).renew(RenewRequest.of(tenant, name, key(), next));
    identity.renew(files, admission, next);
    files.delete(pending);
    var _ = renew();
    LOG.log(INFO, "the host has a new key");
  }

  private Nkey key() throws IOException {
    return Credentials.read(identity.credentials()).key();
  }

  private Registrar registrar(Fields host) {
    return new Registrar(host.text("server"), Optional.empty());
  }
}
