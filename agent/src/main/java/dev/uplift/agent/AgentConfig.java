package dev.uplift.agent;

import dev.uplift.agent.join.Identity;
import dev.uplift.agent.join.Renewal;
import dev.uplift.protocol.Bounds;
import dev.uplift.protocol.Fields;
import dev.uplift.protocol.MalformedMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the operator says about the host and its packages, in one JSON file. Paths are relative to
/// that file. Where it names no tenant, who the host is was settled when it joined ([Identity]).
///
/// @param credentials what the host logs in to NATS with
/// @param user of NATS, where it asks for passwords instead
/// @param passwordFile of that user
/// @param authorities certificates (PEM) of who may vouch for servers; the usual ones where empty
/// @param trustFolder with `root.json`, which says whose word counts
/// @param beat between two heartbeats
/// @param goesDown how long the host may take to go down after its reboot command
/// @param renewal of its ticket for NATS, where it has joined
record AgentConfig(
    String tenant,
    String host,
    String nats,
    Optional<Path> credentials,
    String user,
    Optional<Path> passwordFile,
    Optional<Path> authorities,
    Path stateFolder,
    Path trustFolder,
    Path bootIdFile,
    List<String> rebootCommand,
    Duration beat,
    Duration goesDown,
    Renewal.Pace renewal,
    SortedMap<String, PackageConfig> packages) {
  private static final int PACKAGES = 16;

  /// A package of this host.
  ///
  /// @param settings all that is said about it, for its driver
  record PackageConfig(String kind, Optional<Path> folder, SortedMap<String, String> settings) {}

  AgentConfig {
    Bounds.tenant("tenant", tenant);
    Bounds.host("host", host);
    if (packages.size() > PACKAGES) {
      throw new MalformedMessage("packages: expected at most 16, found " + packages.size());
    }
    packages.keySet().forEach(name -> Bounds.packageName("packages", name));
    if (rebootCommand.isEmpty()) {
      throw new MalformedMessage("reboot_command: expected a program and its arguments");
    }
  }

  /// Throws [MalformedMessage] with the name of the field that is wrong.
  static AgentConfig read(Path file) throws IOException {
    Fields in = Fields.of(Files.readAllBytes(file));
    Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElseThrow();
    Identity identity = Identity.beside(folder);
    boolean joined = !in.has("tenant") && identity.isThere();
    Fields who = joined ? identity.read() : in;
    return new AgentConfig(
        who.text("tenant"),
        who.text("host"),
        who.text("nats"),
        joined ? Optional.of(identity.credentials()) : path(in, "credentials_file", folder),
        in.textOr("user", ""),
        path(in, "password_file", folder),
        joined && Files.exists(identity.authorities())
            ? Optional.of(identity.authorities())
            : path(in, "ca_file", folder),
        folder.resolve(in.text("state_folder")),
        joined && !in.has("trust_folder")
            ? identity.trust()
            : folder.resolve(in.text("trust_folder")),
        path(in, "boot_id_file", folder).orElse(Path.of("/proc/sys/kernel/random/boot_id")),
        in.listOr("reboot_command", List.of("systemctl", "reboot")),
        Duration.ofSeconds(positive(in, "beat_s", 30)),
        Duration.ofSeconds(positive(in, "goes_down_s", 300)),
        new Renewal.Pace(
            Duration.ofSeconds(positive(in, "renew_s", 86_400)),
            Duration.ofSeconds(positive(in, "renew_look_s", 300))),
        packages(in.inner("packages"), folder));
  }

  private static Optional<Path> path(Fields in, String name, Path folder) {
    return in.has(name) ? Optional.of(folder.resolve(in.text(name))) : Optional.empty();
  }

  private static long positive(Fields in, String name, long fallback) {
    long value = in.numberOr(name, fallback);
    if (value < 1 || value > Duration.ofDays(1).toSeconds()) {
      throw in.malformed(name, "1 to 86400 seconds");
    }
    return value;
  }

  private static SortedMap<String, PackageConfig> packages(Fields in, Path folder) {
    var packages = new TreeMap<String, PackageConfig>();
    for (String name : in.names()) {
      Fields one = in.inner(name);
      packages.put(
          name, new PackageConfig(one.text("kind"), path(one, "folder", folder), settings(one)));
    }
    return packages;
  }

  private static SortedMap<String, String> settings(Fields in) {
    var settings = new TreeMap<String, String>();
    for (String name : in.names()) {
      if (!name.equals("kind") && !name.equals("folder")) {
        settings.put(name, in.text(name));
      }
    }
    return settings;
  }
}
