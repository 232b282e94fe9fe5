package dev.uplift.agent;

import dev.uplift.agent.enrolment.CredentialsRenewal;
import dev.uplift.agent.enrolment.HostIdentity;
import dev.uplift.protocol.FieldLimits;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.MalformedMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The operator's configuration of the host and its packages, one JSON file. Paths are relative to that file. If it
/// names no tenant, the host's identity is that of its enrolment ([HostIdentity]).
///
/// @param credentials with which the host logs in to NATS
/// @param user of NATS, if it asks for passwords instead
/// @param passwordFile of that user
/// @param caFile the authorities (PEM) of servers; empty: the usual ones
/// @param trustFolder with `root.json`, the trust root
/// @param heartbeatInterval between two heartbeats
/// @param rebootTimeout how long the host may take to go down after its reboot command
/// @param renewal of its NATS user JWT, if it has enrolled
record AgentConfig(
    String tenant,
    String host,
    String nats,
    Optional<Path> credentials,
    String user,
    Optional<Path> passwordFile,
    Optional<Path> caFile,
    Path stateFolder,
    Path trustFolder,
    Path bootIdFile,
    List<String> rebootCommand,
    Duration heartbeatInterval,
    Duration rebootTimeout,
    CredentialsRenewal.Intervals renewal,
    SortedMap<String, PackageConfig> packages) {
  private static final int MAX_PACKAGES = 16;

  /// A package of this host.
  ///
  /// @param settings all that is said about it, for its driver
  record PackageConfig(String kind, Optional<Path> folder, SortedMap<String, String> settings) {}

  AgentConfig {
    FieldLimits.requireTenant("tenant", tenant);
    FieldLimits.requireHost("host", host);
    if (packages.size() > MAX_PACKAGES) {
      throw new MalformedMessage("packages: expected at most 16, found " + packages.size());
    }
    packages.keySet().forEach(name -> FieldLimits.requirePackageName("packages", name));
    if (rebootCommand.isEmpty()) {
      throw new MalformedMessage("reboot_command: expected a program and its arguments");
    }
  }

  /// Throws [MalformedMessage] with the name of the field that is wrong.
  static AgentConfig read(Path file) throws IOException {
    JsonObject in = JsonObject.parse(Files.readAllBytes(file));
    Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElseThrow();
    HostIdentity hostIdentity = HostIdentity.beside(folder);
    boolean joined = !in.has("tenant") && hostIdentity.exists();
    JsonObject who = joined ? hostIdentity.readHost() : in;
    return new AgentConfig(
        who.string("tenant"),
        who.string("host"),
        who.string("nats_urls"),
        joined ? Optional.of(hostIdentity.credentialsFile()) : path(in, "credentials_file", folder),
        in.stringOr("user", ""),
        path(in, "password_file", folder),
        joined && Files.exists(hostIdentity.caFile())
            ? Optional.of(hostIdentity.caFile())
            : path(in, "ca_file", folder),
        folder.resolve(in.string("state_folder")),
        joined && !in.has("trust_folder") ? hostIdentity.trustFolder() : folder.resolve(in.string("trust_folder")),
        path(in, "boot_id_file", folder).orElse(Path.of("/proc/sys/kernel/random/boot_id")),
        in.stringListOr("reboot_command", List.of("systemctl", "reboot")),
        Duration.ofSeconds(positive(in, "heartbeat_seconds", 30)),
        Duration.ofSeconds(positive(in, "reboot_timeout_seconds", 300)),
        new CredentialsRenewal.Intervals(
            Duration.ofSeconds(positive(in, "renew_after_seconds", 86_400)),
            Duration.ofSeconds(positive(in, "renew_check_seconds", 300))),
        packages(in.object("packages"), folder));
  }

  private static Optional<Path> path(JsonObject in, String name, Path folder) {
    return in.has(name) ? Optional.of(folder.resolve(in.string(name))) : Optional.empty();
  }

  private static long positive(JsonObject in, String name, long fallback) {
    long value = in.numberOr(name, fallback);
    if (value < 1 || value > Duration.ofDays(1).toSeconds()) {
      throw in.malformed(name, "1 to 86400 seconds");
    }
    return value;
  }

  private static SortedMap<String, PackageConfig> packages(JsonObject in, Path folder) {
    var packages = new TreeMap<String, PackageConfig>();
    for (String name : in.names()) {
      JsonObject one = in.object(name);
      packages.put(name, new PackageConfig(one.string("kind"), path(one, "folder", folder), settings(one)));
    }
    return packages;
  }

  private static SortedMap<String, String> settings(JsonObject in) {
    var settings = new TreeMap<String, String>();
    for (String name : in.names()) {
      if (!name.equals("kind") && !name.equals("folder")) {
        settings.put(name, in.string(name));
      }
    }
    return settings;
  }
}
