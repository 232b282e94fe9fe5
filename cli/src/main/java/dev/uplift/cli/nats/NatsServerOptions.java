package dev.uplift.cli.nats;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/// How a nats-server is to be.
final class NatsServerOptions {
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
  private Path configFolder = Path.of("");

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "/var/lib/nats",
      description = "Where it is going to keep its data; default: ${DEFAULT-VALUE}.")
  private Path dataFolder = Path.of("");

  @Option(
      names = "--max-file-store",
      paramLabel = "SIZE",
      defaultValue = "100GB",
      description = "Of its streams on the disk, at most; default: ${DEFAULT-VALUE}.")
  private String maxFileStore = "";

  Path configFolder() {
    return configFolder;
  }

  Path dataFolder() {
    return dataFolder;
  }

  /// @param system public name of its system account
  NatsServerConfig toConfig(String system) {
    List<Path> tls =
        List.of(configFolder.resolve("tls/server.pem"), configFolder.resolve("tls/server.key"));
    Path operator = configFolder.resolve("operator.jwt");
    return new NatsServerConfig(
        name, listen, dataFolder, operator, system, Optional.of(tls), maxFileStore);
  }
}
