package dev.uplift.temporaldev;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// What the configuration of a host's agent says. A host has credentials from the beginning, unless
/// it is to join the fleet: then who it is does not stand here.
final class HostConfig {
  private final Shared stack;
  private final Nats nats;
  private final Host host;
  private final Map<String, Map<String, String>> packages = new LinkedHashMap<>();
  private final Map<String, Object> wishes = new LinkedHashMap<>();
  private boolean keeps;
  private boolean joins;

  HostConfig(Host host, Shared stack, Nats nats) {
    this.host = host;
    this.stack = stack;
    this.nats = nats;
  }

  Map<String, Map<String, String>> packages() {
    return packages;
  }

  void wish(String field, Object value) {
    wishes.put(field, value);
  }

  /// From now on it is somebody else's.
  void keep() {
    keeps = true;
  }

  void join() {
    joins = true;
  }

  Path credentials() {
    return host.folder().resolve(joins ? "identity/credentials" : "credentials");
  }

  /// @param power what it says of the machine
  void write(Path file, Map<String, ?> power) {
    if (keeps && Files.exists(file)) {
      return;
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    if (!joins) {
      settings.putAll(identity());
    }
    settings.put("state_folder", host.stateFolder().toString());
    settings.putAll(power);
    settings.put("beat_s", 1);
    settings.put("packages", packages);
    settings.putAll(wishes);
    PrivateFile.write(file, Json.indented(settings));
  }

  private Map<String, Object> identity() {
    Map<String, Object> identity = new LinkedHashMap<>();
    identity.put("tenant", host.tenant());
    identity.put("host", host.id());
    identity.put("nats", nats.url());
    identity.put(
        "credentials_file", nats.realm().host(credentials(), host.tenant(), host.id()).toString());
    identity.put("trust_folder", stack.secrets().trust(host.tenant()).toString());
    if (stack.isSecured()) {
      identity.put("ca_file", stack.secrets().certificates().authority().toString());
    }
    return identity;
  }
}
