package dev.uplift.temporaldev;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// An Uplift server, API and worker in one process. Database (H2 in a file), artifacts and log are
/// in its folder.
public final class Server extends Part {
  private final Shared stack;
  private final Nats nats;
  private final Temporal temporal;
  private final Map<String, String> wishes = new TreeMap<>();
  private final List<String> options = new ArrayList<>();

  Server(Seat seat, Shared stack, Nats nats, Temporal temporal) {
    super(seat);
    this.stack = stack;
    this.nats = nats;
    this.temporal = temporal;
  }

  /// The base address of its REST interface.
  public String url() {
    return "http://127.0.0.1:" + stack.ports().of(name());
  }

  /// Where artifacts lie. Several servers share the folder of the first.
  public Path artifacts() {
    return folder().resolveSibling("artifacts");
  }

  /// Sets a variable of its environment (`UPLIFT_PACE_RESEND=PT2S`) from its next start on.
  public synchronized Server with(String variable, String value) {
    wishes.put(variable, value);
    return this;
  }

  /// Takes a variable away again, one that is set by default too.
  public synchronized Server without(String variable) {
    return with(variable, "");
  }

  /// Adds an option for its Java from its next start on.
  public synchronized Server java(String option) {
    options.add(option);
    return this;
  }

  @Override
  Launch prepare() {
    stack.ports().checkFree(name());
    PrivateFile.folder(artifacts());
    List<String> java = new ArrayList<>();
    java.add("--sun-misc-unsafe-memory-access=allow");
    java.add("--enable-native-access=ALL-UNNAMED");
    java.add("-XX:+ExitOnOutOfMemoryError");
    // It starts sooner and holds less memory; what runs for days on its own is better without.
    java.add("-XX:+UseSerialGC");
    java.add("-XX:TieredStopAtLevel=1");
    java.addAll(seat().withinFolder());
    java.addAll(options);
    Map<String, String> environment = settings();
    environment.putAll(wishes);
    environment.values().removeIf(String::isEmpty);
    return new Launch(
        Programs.java(java, stack.programs().server(), "dev.uplift.api.Server", List.of()),
        environment);
  }

  private Map<String, String> settings() {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("UPLIFT_ROLES", "api,worker");
    env.put("MICRONAUT_SERVER_HOST", "127.0.0.1");
    env.put("MICRONAUT_SERVER_PORT", Integer.toString(stack.ports().of(name())));
    env.put("UPLIFT_PUBLIC_URL", hostsUrl());
    env.put(
        "UPLIFT_DATABASE_URL",
        "jdbc:h2:file:" + folder().resolve("uplift") + ";MODE=PostgreSQL;WRITE_DELAY=0");
    env.put("UPLIFT_DATABASE_USER", "uplift");
    env.put("UPLIFT_DATABASE_PASSWORD_FILE", stack.secrets().password("database").toString());
    env.put("UPLIFT_TEMPORAL_TARGET", temporal.target());
    env.put("UPLIFT_TEMPORAL_NAMESPACE", temporal.namespace());
    env.put("UPLIFT_TEMPORAL_UI", temporal.ui());
    env.put("UPLIFT_NATS_URL", nats.url());
    env.put("UPLIFT_NATS_CREDENTIALS_FILE", nats.realm().server().toString());
    if (stack.isSecured()) {
      secure(env);
    }
    env.put("UPLIFT_ENROLMENT_FOLDER", nats.realm().keys().enrolment().toString());
    var _ = stack.secrets().commandKey();
    env.put("UPLIFT_COMMAND_KEYS_FOLDER", stack.secrets().commandKeys().toString());
    env.put("UPLIFT_ARTIFACTS_FOLDER", artifacts().toString());
    env.put("UPLIFT_ARTIFACTS_SECRET_FILE", stack.secrets().artifactsSecret().toString());
    env.put("UPLIFT_JWT_SECRET_FILE", stack.secrets().tokenSecret().toString());
    return env;
  }

  private void secure(Map<String, String> env) {
    Certificates certificates = stack.secrets().certificates();
    env.put("UPLIFT_NATS_CA_FILE", certificates.authority().toString());
    env.put("UPLIFT_HOSTS_CA_FILE", certificates.authority().toString());
    env.put("MICRONAUT_SERVER_DUAL_PROTOCOL", "true");
    env.put("MICRONAUT_SERVER_SSL_ENABLED", "true");
    env.put("MICRONAUT_SERVER_SSL_PORT", Integer.toString(stack.ports().of(name() + " https")));
    env.put("MICRONAUT_SERVER_SSL_KEY_STORE_TYPE", "PKCS12");
    env.put("MICRONAUT_SERVER_SSL_KEY_STORE_PATH", "file:" + certificates.store());
    env.put("MICRONAUT_SERVER_SSL_KEY_STORE_PASSWORD", Certificates.PASSWORD);
  }

  /// The base address by which hosts reach it.
  public String hostsUrl() {
    return stack.isSecured() ? "https://127.0.0.1:" + stack.ports().of(name() + " https") : url();
  }

  @Override
  boolean isReady() {
    return Http.answersOk(url() + "/health");
  }
}
