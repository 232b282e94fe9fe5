package dev.uplift.temporaldev.stack;

import static java.util.stream.Collectors.joining;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.temporaldev.process.HttpProbe;
import dev.uplift.temporaldev.process.SystemCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Temporal's server for production, all four services in one process, with its tables in PostgreSQL. Its Web UI is a
/// [TemporalUiServer].
public final class TemporalProductionServer extends TemporalServer {
  private static final String DATABASE = "temporal";
  private static final String VISIBILITY_DATABASE = "temporal_visibility";
  private static final List<String> SERVICES = List.of("frontend", "history", "matching", "worker");

  private final LocalPostgresServer postgres;

  TemporalProductionServer(ProcessContext context, StackContext stack, LocalPostgresServer postgres) {
    super(context, stack);
    this.postgres = postgres;
    with("history.shardIOConcurrency=4");
    with("frontend.namespaceRPS.visibility=100");
  }

  @Override
  void ensureProgram() {
    var _ = stack().programs().temporalServer();
    var _ = stack().programs().temporalSqlTool();
    var _ = stack().programs().temporal();
  }

  @Override
  LaunchCommand prepareLaunch() {
    createDatabase(DATABASE, "postgresql/v12/temporal");
    createDatabase(VISIBILITY_DATABASE, "postgresql/v12/visibility");
    Path dynamic = folder().resolve("dynamic.yaml");
    PrivateFile.write(dynamic, dynamicConfig().stream().map(TemporalProductionServer::yaml).collect(joining()));
    PrivateFile.write(folder().resolve("uplift.yaml"), configuration(dynamic));
    return new LaunchCommand(
        List.of(
            stack().programs().temporalServer().toString(),
            "--root",
            folder().toString(),
            "--config",
            ".",
            "--env",
            "uplift",
            "--allow-no-auth",
            "start"));
  }

  private static String yaml(String setting) {
    String[] nameAndValue = setting.split("=", 2);
    return "%s:%n  - value: %s%n".formatted(nameAndValue[0], nameAndValue[1]);
  }

  /// Does nothing if it was done before.
  private void createDatabase(String database, String schema) {
    Path done = folder().resolve(database + ".created");
    if (Files.exists(done)) {
      return;
    }
    sqlTool(database, "create-database");
    sqlTool(database, "setup-schema", "--version", "0.0", "--overwrite");
    sqlTool(database, "update-schema", "--schema-name", schema);
    PrivateFile.write(done, schema + "\n");
  }

  private void sqlTool(String database, String... command) {
    List<String> all = new ArrayList<>();
    all.add(stack().programs().temporalSqlTool().toString());
    all.addAll(List.of("--plugin", "postgres12", "--endpoint", "127.0.0.1", "--port", port(postgres.name())));
    all.addAll(
        List.of("--user", LocalPostgresServer.USER, "--password", PrivateFile.read(postgres.passwordFile()).strip()));
    all.addAll(List.of("--database", database));
    all.addAll(List.of(command));
    SystemCommands.require("create Temporal's database " + database, all);
  }

  private String configuration(Path dynamic) {
    String password = PrivateFile.read(postgres.passwordFile()).strip();
    return """
    log:
      stdout: true
      level: warn
    persistence:
      defaultStore: default
      visibilityStore: visibility
      numHistoryShards: 4
      datastores:
    %s%s\
    global:
      membership:
        maxJoinDuration: 30s
        broadcastAddress: 127.0.0.1
      metrics:
        prometheus:
          timerType: histogram
          listenAddress: 127.0.0.1:%s
    services:
    %s\
    clusterMetadata:
      enableGlobalNamespace: false
      failoverVersionIncrement: 10
      masterClusterName: active
      currentClusterName: active
      clusterInformation:
        active:
          enabled: true
          initialFailoverVersion: 1
          rpcName: frontend
          rpcAddress: %s
    dcRedirectionPolicy:
      policy: noop
    dynamicConfigClient:
      filepath: "%s"
      pollInterval: 10s
    """
        .formatted(
            dataStore("default", DATABASE, password, 20),
            dataStore("visibility", VISIBILITY_DATABASE, password, 10),
            port(name() + "-metrics"),
            SERVICES.stream().map(this::service).collect(joining()),
            target(),
            dynamic);
  }

  private String dataStore(String name, String database, String password, int connections) {
    return """
        %s:
          sql:
            pluginName: postgres12_pgx
            databaseName: %s
            connectAddr: 127.0.0.1:%s
            connectProtocol: tcp
            user: %s
            password: "%s"
            maxConns: %d
            maxIdleConns: %d
            maxConnLifetime: 1h
    """
        .formatted(name, database, port(postgres.name()), LocalPostgresServer.USER, password, connections, connections);
  }

  private String service(String service) {
    boolean isFrontend = service.equals("frontend");
    String http = isFrontend ? "      httpPort: %s\n".formatted(port(name() + " http")) : "";
    return """
      %s:
        rpc:
          grpcPort: %s
          membershipPort: %s
          bindOnLocalHost: true
    %s\
    """
        .formatted(
            service,
            port(isFrontend ? name() : name() + " " + service),
            port(name() + " " + service + " membership"),
            http);
  }

  private String port(String name) {
    return Integer.toString(stack().ports().portOf(name));
  }

  @Override
  boolean isReady() {
    String rest = "http://127.0.0.1:" + port(name() + " http") + "/api/v1/";
    Path done = folder().resolve("namespace.created");
    if (!Files.exists(done) && HttpProbe.respondsOk(rest + "cluster-info") && createNamespace()) {
      PrivateFile.write(done, namespace() + "\n");
    }
    return Files.exists(done) && HttpProbe.respondsOk(rest + "namespaces/" + namespace());
  }

  /// Returns whether all of it is there. It can be that it is not known everywhere yet; then it is tried again.
  private boolean createNamespace() {
    var _ = operator("namespace", "create", "--namespace", namespace(), "--retention", RETENTION);
    List<String> attributes = new ArrayList<>(List.of("search-attribute", "create", "--namespace", namespace()));
    for (String attribute : SEARCH_ATTRIBUTES) {
      attributes.addAll(List.of("--name", attribute, "--type", "Keyword"));
    }
    return operator(attributes.toArray(String[]::new));
  }

  private boolean operator(String... command) {
    List<String> all = new ArrayList<>(List.of(stack().programs().temporal().toString(), "operator"));
    all.addAll(List.of(command));
    all.addAll(List.of("--address", target()));
    return SystemCommands.run(all).isPresent();
  }
}
