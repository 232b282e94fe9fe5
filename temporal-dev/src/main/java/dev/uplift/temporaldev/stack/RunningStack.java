package dev.uplift.temporaldev.stack;

import static java.util.stream.Collectors.joining;

import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.secrets.StackSecrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Addresses, credentials and trust of a stack that another process keeps running, for programs that play its hosts.
public final class RunningStack {
  private final Path folder;
  private final StackSecrets secrets;

  private RunningStack(Path folder) {
    this.folder = folder;
    this.secrets = new StackSecrets(folder.resolve("secrets"));
  }

  /// Returns the stack that `uplift up` keeps in a folder.
  public static RunningStack in(Path folder) {
    Path place = folder.toAbsolutePath().normalize();
    if (!Files.exists(place.resolve("ports"))) {
      throw new StackException(place + " is not the folder of a stack: `uplift up` creates one");
    }
    return new RunningStack(place);
  }

  /// Returns the URLs of its nats-servers, separated by commas.
  public String natsUrl() {
    var ports = new PortAllocator(folder.resolve("ports"));
    return Cluster.natsServersOf(ports).stream()
        .map(name -> (usesTls() ? "tls" : "nats") + "://127.0.0.1:" + ports.portOf(name))
        .collect(joining(","));
  }

  /// Returns the credentials of all hosts of a tenant.
  public Path fleetCredentials(String tenant) {
    return secrets.natsOperator().fleetCredentials(tenant);
  }

  /// Returns the folder of the roots that the hosts of a tenant trust.
  public Path trustFolder(String tenant) {
    return secrets.trustFolder(tenant);
  }

  /// Returns the certificate authority of its servers; empty if it does not use TLS.
  public Optional<Path> caFile() {
    return usesTls() ? Optional.of(secrets.certificates().caCertificate()) : Optional.empty();
  }

  private boolean usesTls() {
    return Files.exists(folder.resolve("secrets/tls/complete"));
  }
}
