package dev.uplift.agent.join;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.link.Away;
import dev.uplift.protocol.Fields;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.enrolment.Admission;
import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.Ticket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// Keeps the host's ticket good: asks for the next one every day, and sooner where NATS lets the
/// host in no more. The new one is in the file before it is needed, and is read at the next login.
public final class Renewal {
  private static final System.Logger LOG = System.getLogger(Renewal.class.getName());

  private final Identity identity;
  private final FileOps files;

  public Renewal(Identity identity, FileOps files) {
    this.identity = identity;
    this.files = files;
  }

  /// Both are spread by a fifth, so that not all hosts come at once.
  ///
  /// @param usually how old a ticket becomes
  /// @param look between two looks at whether it is that old, or NATS lets the host in no more
  public record Pace(Duration usually, Duration look) {}

  /// From now on, until the process ends.
  ///
  /// @param connected whether NATS lets the host in
  /// @param past a time that is certainly past
  public void start(Pace pace, BooleanSupplier connected, Supplier<Instant> past) {
    Thread.ofVirtual().name("renewal").start(() -> run(pace, connected, past));
  }

  private void run(Pace pace, BooleanSupplier connected, Supplier<Instant> past) {
    Duration age = age(past.get());
    while (true) {
      Duration pause = spread(pace.look());
      try {
        Thread.sleep(pause);
      } catch (InterruptedException _) {
        return;
      }
      age = age.plus(pause);
      if (!connected.getAsBoolean() || age.compareTo(pace.usually()) > 0) {
        age = Duration.ZERO;
        tryOnce();
      }
    }
  }

  /// How old the ticket is at least: so one of a host that is off every night is renewed, too.
  private Duration age(Instant past) {
    try {
      Fields claims = Fields.of(Ticket.claims(Credentials.read(identity.credentials()).jwt()));
      return Duration.ofSeconds(Math.max(0, past.getEpochSecond() - claims.number("iat")));
    } catch (IOException | MalformedMessage _) {
      return Duration.ZERO;
    }
  }

  private static Duration spread(Duration pause) {
    return pause.plusMillis(RandomGenerator.getDefault().nextLong(pause.toMillis() / 5 + 1));
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
    try (var _ = identity.alone()) {
      return renewAlone();
    }
  }

  private Admission renewAlone() throws IOException, Refused, Away {
    Fields host = identity.read();
    Nkey key = key();
    Admission admission =
        registrar(host).renew(RenewRequest.of(host.text("tenant"), host.text("host"), key));
    identity.renew(files, admission, key);
    LOG.log(INFO, "the host has its next ticket");
    return admission;
  }

  /// Another key. The old one is good until the new one is on the disk and was shown to the server;
  /// then NATS ends the connection that was made with it, and the agent logs in with the new one.
  public void rotate() throws IOException, Refused, Away {
    try (var _ = identity.alone()) {
      rotateAlone();
    }
  }

  private void rotateAlone() throws IOException, Refused, Away {
    Fields host = identity.read();
    String tenant = host.text("tenant");
    String name = host.text("host");
    Path pending = identity.link().toRealPath().resolve(".next");
    if (!Files.exists(pending)) {
      files.writeHidden(pending, Nkey.generate(Nkey.Kind.USER).seed().getBytes(UTF_8));
    }
    Nkey next = Nkey.ofSeed(Files.readString(pending));
    Admission admission;
    try {
      admission = registrar(host).renew(RenewRequest.of(tenant, name, key(), next));
    } catch (Refused e) {
      // It may be one that was good once: the next try takes another.
      files.delete(pending);
      throw e;
    }
    identity.renew(files, admission, next);
    files.delete(pending);
    var _ = renewAlone();
    LOG.log(INFO, "the host has a new key");
  }

  private Nkey key() throws IOException {
    return Credentials.read(identity.credentials()).key();
  }

  private Registrar registrar(Fields host) {
    return new Registrar(host.text("server"), Optional.empty());
  }
}
