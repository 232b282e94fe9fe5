package dev.uplift.temporaldev.stack;

import static java.util.stream.Collectors.joining;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.temporaldev.process.HttpProbe;
import dev.uplift.temporaldev.programs.ProgramLocator;
import dev.uplift.temporaldev.secrets.TlsCertificates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// An Uplift server, API and worker in one process. Its folder has its log and, unless the stack is a [Cluster], its
/// database (an H2 file).
public final class UpliftServer extends StackProcess {
  static final String MAIN = "dev.uplift.api.Server";

  // The collector and one compiler start faster with less memory; a server in production is better without. The heap
  // starts by default at a 64th of the machine's memory, all of which is used before the first collection; and this
  // collector collects old objects only when the heap cannot grow any more, by default to a quarter of that memory. A
  // rollout over 10,000 devices has up to 225 MiB of live objects.
  static final List<String> JAVA_OPTIONS =
      List.of(
          "--sun-misc-unsafe-memory-access=allow",
          "--enable-native-access=ALL-UNNAMED",
          "-XX:+ExitOnOutOfMemoryError",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xms24m",
          "-Xmx512m");

  private final StackContext stack;
  private final NatsServer nats;
  private final TemporalServer temporal;
  private final Map<String, String> overrides = new TreeMap<>();
  private final List<String> javaOptions = new ArrayList<>();
  private Optional<String> ownClassPath = Optional.empty();

  UpliftServer(ProcessContext context, StackContext stack, NatsServer nats, TemporalServer temporal) {
    super(context);
    this.stack = stack;
    this.nats = nats;
    this.temporal = temporal;
  }

  /// Returns the base URL of its REST interface.
  public String url() {
    return "http://127.0.0.1:" + stack.ports().portOf(name());
  }

  /// Returns the folder of artifacts, which all servers of the stack share.
  public Path artifactsFolder() {
    return folder().resolveSibling("artifacts");
  }

  /// Sets a variable of its environment (`UPLIFT_TIMEOUTS_RESEND_INTERVAL=PT2S`) from its next start on.
  public synchronized UpliftServer environment(String variable, String value) {
    overrides.put(variable, value);
    return this;
  }

  /// Removes a variable, also one that is set by default.
  public synchronized UpliftServer withoutEnvironment(String variable) {
    return environment(variable, "");
  }

  /// Adds a JVM option from its next start on.
  public synchronized UpliftServer withJavaOption(String option) {
    javaOptions.add(option);
    return this;
  }

  /// Runs another build of the program than the other servers, from its next start on.
  public synchronized UpliftServer withClassPath(String classPath) {
    ownClassPath = Optional.of(classPath);
    return this;
  }

  /// From its next start on it reaches these by links. Clients and hosts reach it without.
  void linkTo(List<NatsServer> natsServers, TemporalServer temporalServer) {
    environment(
        "UPLIFT_NATS_URL",
        natsServers.stream().map(each -> "nats://127.0.0.1:" + openLink(each.port()).port()).collect(joining(",")));
    environment("UPLIFT_TEMPORAL_ADDRESS", "127.0.0.1:" + openLink(temporalServer.port()).port());
  }

  /// The same for a database beside it.
  void linkTo(LocalPostgresServer postgres) {
    environment("UPLIFT_DATABASE_URL", postgres.urlAtPort(openLink(postgres.port()).port()));
  }

  @Override
  LaunchCommand prepareLaunch() {
    stack.ports().checkFree(name());
    PrivateFile.createFolder(artifactsFolder());
    String classPath = ownClassPath.orElseGet(stack.programs()::server);
    List<String> java = new ArrayList<>();
    java.addAll(JAVA_OPTIONS);
    ServerCache.find(classPath).ifPresent(file -> java.add("-XX:AOTCache=" + file));
    java.addAll(context().javaOptions());
    java.addAll(javaOptions);
    Map<String, String> environment = defaultEnvironment();
    environment.putAll(overrides);
    environment.values().removeIf(String::isEmpty);
    return new LaunchCommand(ProgramLocator.javaCommand(java, classPath, MAIN, List.of()), environment);
  }

  private Map<String, String> defaultEnvironment() {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("UPLIFT_ROLES", "api,worker");
    env.put("MICRONAUT_SERVER_HOST", "127.0.0.1");
    env.put("MICRONAUT_SERVER_PORT", Integer.toString(stack.ports().portOf(name())));
    env.put("UPLIFT_PUBLIC_URL", urlForHosts());
    env.put("UPLIFT_DATABASE_URL", "jdbc:h2:file:" + folder().resolve("uplift") + ";MODE=PostgreSQL;WRITE_DELAY=0");
    env.put("UPLIFT_DATABASE_USER", "uplift");
    env.put("UPLIFT_DATABASE_PASSWORD_FILE", stack.secrets().passwordFile("database").toString());
    env.put("UPLIFT_TEMPORAL_ADDRESS", temporal.target());
    env.put("UPLIFT_TEMPORAL_NAMESPACE", temporal.namespace());
    env.put("UPLIFT_TEMPORAL_UI_URL", temporal.uiUrl());
    env.put("UPLIFT_NATS_URL", nats.url());
    env.put("UPLIFT_NATS_CREDENTIALS_FILE", nats.operator().serverCredentials().toString());
    if (stack.usesTls()) {
      addTlsVariables(env);
    }
    env.put("UPLIFT_ENROLMENT_KEYS_FOLDER", nats.operator().keyFolder().enrolmentFolder().toString());
    var _ = stack.secrets().commandKeyFile();
    env.put("UPLIFT_COMMAND_KEYS_FOLDER", stack.secrets().commandKeysFolder().toString());
    env.put("UPLIFT_ARTIFACTS_FOLDER", artifactsFolder().toString());
    env.put("UPLIFT_ARTIFACTS_SECRET_FILE", stack.secrets().artifactsSecretFile().toString());
    env.put("UPLIFT_JWT_SECRET_FILE", stack.secrets().tokenSecretFile().toString());
    return env;
  }

  private void addTlsVariables(Map<String, String> env) {
    TlsCertificates tlsCertificates = stack.secrets().certificates();
    env.put("UPLIFT_NATS_CA_FILE", tlsCertificates.caCertificate().toString());
    env.put("UPLIFT_ENROLMENT_CA_FILE", tlsCertificates.caCertificate().toString());
    env.put("MICRONAUT_SERVER_DUAL_PROTOCOL", "true");
    env.put("MICRONAUT_SERVER_SSL_ENABLED", "true");
    env.put("MICRONAUT_SERVER_SSL_PORT", Integer.toString(stack.ports().portOf(name() + " https")));
    env.put("MICRONAUT_SERVER_SSL_KEY_STORE_TYPE", "PKCS12");
    env.put("MICRONAUT_SERVER_SSL_KEY_STORE_PATH", "file:" + tlsCertificates.keyStore());
    env.put("MICRONAUT_SERVER_SSL_KEY_STORE_PASSWORD", TlsCertificates.KEY_STORE_PASSWORD);
  }

  /// Returns the base URL for hosts.
  public String urlForHosts() {
    return stack.usesTls() ? "https://127.0.0.1:" + stack.ports().portOf(name() + " https") : url();
  }

  @Override
  boolean isReady() {
    return HttpProbe.respondsOk(url() + "/health");
  }
}
