package dev.uplift.cli.nats;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/// Options of a nats-server.
final class NatsServerOptions {
  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "uplift-1",
      description = "Unique name of the nats-server; default: ${DEFAULT-VALUE}.")
  private String name = "";

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      defaultValue = "0.0.0.0:4222",
      description = "Address to listen at; default: ${DEFAULT-VALUE}.")
  private String listen = "";

  @Option(
      names = "--config-dir",
      paramLabel = "DIR",
      defaultValue = "/etc/nats",
      description = "Its folder of the configuration; default: ${DEFAULT-VALUE}.")
  private Path configFolder = Path.of("");

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = "/var/lib/nats",
      description = "Its folder of data; default: ${DEFAULT-VALUE}.")
  private Path dataFolder = Path.of("");

  @Option(
      names = "--max-file-store",
      paramLabel = "SIZE",
      defaultValue = "100GB",
      description = "Limit of its streams on disk; default: ${DEFAULT-VALUE}.")
  private String maxFileStore = "";

  Path configFolder() {
    return configFolder;
  }

  Path dataFolder() {
    return dataFolder;
  }

  /// @param system public key of its system account
  NatsServerConfig toConfig(String system) {
    List<Path> tls = List.of(configFolder.resolve("tls/server.pem"), configFolder.resolve("tls/server.key"));
    Path operator = configFolder.resolve("operator.jwt");
    return new NatsServerConfig(
        name, listen, dataFolder, operator, system, Optional.of(tls), maxFileStore, Optional.empty());
  }
}
