package dev.uplift.temporaldev.stack;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.RestClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.ObjectWriter;

/// Writes the configuration of a host's agent. A host has credentials from the beginning, unless it joins the fleet;
/// then its identity is not part of the configuration.
final class HostConfigWriter {
  /// For people: one entry per line.
  private static final ObjectWriter JSON =
      RestClient.JSON
          .writer()
          .with(
              new DefaultPrettyPrinter(
                      Separators.createDefaultInstance().withObjectNameValueSpacing(Separators.Spacing.AFTER))
                  .withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE));

  private final StackContext stack;
  private final NatsServer nats;
  private final StackHost host;
  private final Map<String, Map<String, String>> packages = new LinkedHashMap<>();
  private final Map<String, Object> overrides = new LinkedHashMap<>();
  private boolean keepsExisting;
  private boolean joinsFleet;

  HostConfigWriter(StackHost host, StackContext stack, NatsServer nats) {
    this.host = host;
    this.stack = stack;
    this.nats = nats;
  }

  Map<String, Map<String, String>> packages() {
    return packages;
  }

  void override(String field, Object value) {
    overrides.put(field, value);
  }

  /// Leaves an existing configuration unchanged from now on.
  void keepExisting() {
    keepsExisting = true;
  }

  void markAsJoining() {
    joinsFleet = true;
  }

  Path credentials() {
    return host.folder().resolve(joinsFleet ? "identity/credentials" : "credentials");
  }

  /// @param power settings of the machine
  void write(Path file, Map<String, ?> power) {
    if (keepsExisting && Files.exists(file)) {
      return;
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    if (!joinsFleet) {
      settings.putAll(identity());
    }
    settings.put("state_folder", host.stateFolder().toString());
    settings.putAll(power);
    settings.put("heartbeat_seconds", 1);
    settings.put("packages", packages);
    settings.putAll(overrides);
    PrivateFile.write(file, JSON.writeValueAsString(settings) + "\n");
  }

  private Map<String, Object> identity() {
    Map<String, Object> identity = new LinkedHashMap<>();
    identity.put("tenant", host.tenant());
    identity.put("host", host.id());
    identity.put("nats_urls", nats.url());
    identity.put(
        "credentials_file", nats.operator().createHostCredentials(credentials(), host.tenant(), host.id()).toString());
    identity.put("trust_folder", stack.secrets().trustFolder(host.tenant()).toString());
    if (stack.usesTls()) {
      identity.put("ca_file", stack.secrets().certificates().caCertificate().toString());
    }
    return identity;
  }
}
