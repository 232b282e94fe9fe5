package dev.uplift.temporaldev.stack;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.temporaldev.process.HttpProbe;
import java.net.URI;
import java.util.List;

/// The Web UI of a [TemporalProductionServer].
final class TemporalUiServer extends StackProcess {
  private final StackContext stack;
  private final TemporalServer temporal;

  TemporalUiServer(ProcessContext context, StackContext stack, TemporalServer temporal) {
    super(context);
    this.stack = stack;
    this.temporal = temporal;
  }

  @Override
  void ensureProgram() {
    var _ = stack.programs().temporalUiServer();
  }

  @Override
  LaunchCommand prepareLaunch() {
    PrivateFile.write(
        folder().resolve("uplift.yaml"),
        """
        temporalGrpcAddress: %s
        host: 127.0.0.1
        port: %d
        enableUi: true
        defaultNamespace: %s
        """
            .formatted(temporal.target(), URI.create(temporal.uiUrl()).getPort(), temporal.namespace()));
    return new LaunchCommand(
        List.of(
            stack.programs().temporalUiServer().toString(),
            "--root",
            folder().toString(),
            "--config",
            ".",
            "--env",
            "uplift",
            "start"));
  }

  @Override
  boolean isReady() {
    return HttpProbe.respondsOk(temporal.uiUrl() + "/api/v1/namespaces/" + temporal.namespace());
  }
}
