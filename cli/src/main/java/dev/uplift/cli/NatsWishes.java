package dev.uplift.cli;

import dev.uplift.temporaldev.NatsConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/// How a nats-server is to be.
final class NatsWishes {
  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "uplift-1",
      description = "Of the nats-server, each another; default: ${DEFAULT-VALUE}.")
  private String name = "";

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      defaultValue = "0.0.0.0:4222",
      description = "Where it listens; default: ${DEFAULT-VALUE}.")
  private String listen = "";

  @Option(
      names = "--config",
      paramLabel = "DIR",
      defaultValue = "/etc/nats",
      description = "Where its configuration is going to lie; default: ${DEFAULT-VALUE}.")
  private Path config = Path.of("");

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "/var/lib/nats",
      description = "Where it is going to keep its data; default: ${DEFAULT-VALUE}.")
  private Path data = Path.of("");

  @Option(
      names = "--max-file-store",
      paramLabel = "SIZE",
      defaultValue = "100GB",
      description = "Of its streams on the disk, at most; default: ${DEFAULT-VALUE}.")
  private String maxFileStore = "";

  Path config() {
    return config;
  }

  Path data() {
    return data;
  }

  /// @param system public name of its system account
  NatsConfig with(String system) {
    List<Path> tls = List.of(config.resolve("tls/server.pem"), config.resolve("tls/server.key"));
    Path operator = config.resolve("operator.jwt");
    return new NatsConfig(name, listen, data, operator, system, Optional.of(tls), maxFileStore);
  }
}
