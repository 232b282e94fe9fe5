package dev.uplift.temporaldev.stack;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.temporaldev.process.HttpProbe;
import dev.uplift.temporaldev.process.SystemCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The Temporal dev server. Stores its data in a file, or in memory if the stack was configured so.
public final class TemporalDevServer extends TemporalServer {
  private static final String RETENTION_FILE = "retention";

  /// Rarer collections as long as there is memory.
  private static final Map<String, String> GARBAGE_COLLECTOR = Map.of("GOGC", "400", "GOMEMLIMIT", "270MiB");

  private final boolean inMemory;

  TemporalDevServer(ProcessContext context, StackContext stack, boolean inMemory) {
    super(context, stack);
    this.inMemory = inMemory;
    // As in every other Temporal. The dev server reads them at each use, a third of all its reads and writes.
    with("system.forceSearchAttributesCacheRefreshOnRead=false");
    // It keeps 8,096 workflows, also those that have ended, and with them the memory below is nearly full.
    with("history.hostLevelCacheMaxSize=2000");
  }

  @Override
  void ensureProgram() {
    var _ = stack().programs().temporal();
  }

  @Override
  LaunchCommand prepareLaunch() {
    stack().ports().checkFree(name());
    stack().ports().checkFree(name() + "-ui");
    stack().ports().checkFree(name() + "-metrics");
    List<String> command = new ArrayList<>();
    command.add(stack().programs().temporal().toString());
    command.addAll(List.of("server", "start-dev", "--ip", "127.0.0.1"));
    command.addAll(List.of("--port", Integer.toString(stack().ports().portOf(name()))));
    command.addAll(List.of("--ui-port", Integer.toString(stack().ports().portOf(name() + "-ui"))));
    command.addAll(List.of("--metrics-port", Integer.toString(stack().ports().portOf(name() + "-metrics"))));
    command.addAll(List.of("--log-level", "warn"));
    if (!inMemory) {
      Path database = folder().resolve("temporal.db");
      command.addAll(List.of("--db-filename", database.toString()));
      command.addAll(List.of("--sqlite-pragma", "journal_mode=wal"));
      command.addAll(List.of("--sqlite-pragma", "synchronous=normal"));
      command.addAll(List.of("--sqlite-pragma", "wal_autocheckpoint=10000"));
    }
    for (String value : dynamicConfig()) {
      command.addAll(List.of("--dynamic-config-value", value));
    }
    for (String attribute : SEARCH_ATTRIBUTES) {
      command.addAll(List.of("--search-attribute", attribute + "=Keyword"));
    }
    return new LaunchCommand(command, GARBAGE_COLLECTOR);
  }

  @Override
  boolean isReady() {
    // Through the Web UI's own way to the server, so that both are known to work.
    if (!HttpProbe.respondsOk(uiUrl() + "/api/v1/namespaces/" + namespace())) {
      return false;
    }
    if (!inMemory && !Files.exists(folder().resolve(RETENTION_FILE))) {
      setRetention();
    }
    return true;
  }

  /// The dev server forgets what has closed after a day, and has no flag for another time.
  private void setRetention() {
    List<String> update = new ArrayList<>();
    update.add(stack().programs().temporal().toString());
    update.addAll(List.of("operator", "namespace", "update", "--namespace", namespace()));
    update.addAll(List.of("--retention", RETENTION, "--address", target()));
    SystemCommands.require("have Temporal keep workflows for " + RETENTION, update);
    PrivateFile.write(folder().resolve(RETENTION_FILE), RETENTION + "\n");
  }
}
