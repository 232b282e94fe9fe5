package dev.uplift.temporaldev.demo;

import dev.uplift.cli.release.UnsignedRelease;
import dev.uplift.cli.release.UnsignedRelease.Artifact;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.temporaldev.file.FileTree;
import dev.uplift.temporaldev.programs.AgentVersion;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Packs, signs and publishes the releases of the demo.
final class DemoReleases {
  private final RestClient rest;
  private final SigningKey key;
  private final Path folder;

  /// @param folder of the archives
  DemoReleases(RestClient rest, SigningKey key, Path folder) {
    this.rest = rest;
    this.key = key;
    this.folder = folder;
  }

  /// Publishes the releases of the services and returns the id of their key.
  String publishAll() {
    publish("1.4.0", 140, ShopdBundle.of("1.4.0"));
    publish("1.5.0", 150, ShopdBundle.of("1.5.0"));
    publish("1.6.0", 160, ShopdBundle.withoutPrices("1.6.0"));
    FileTree image = KioskHost.systemImage("7.2", ShopdBundle.of("1.5.0"));
    Artifact artifact = upload(KioskHost.PACKAGE + "-7.2", image.toTarGz());
    unsignedRelease(KioskHost.PACKAGE, "script", "7.2", 702, artifact, Map.of()).signAndPublish(rest, key);
    return key.keyId();
  }

  /// Publishes a version of the agent.
  void publish(AgentVersion agent, long sequence) {
    Artifact artifact = upload("uplift-agent-" + agent.name(), agent.archive());
    unsignedRelease("uplift-agent", "agent", agent.name(), sequence, artifact, Map.of()).signAndPublish(rest, key);
  }

  private void publish(String version, long sequence, FileTree content) {
    Artifact artifact = upload("shopd-" + version, content.toTarGz());
    unsignedRelease("shopd", "bundle", version, sequence, artifact, ShopdBundle.RELEASE_ARGUMENTS)
        .signAndPublish(rest, key);
  }

  private static UnsignedRelease unsignedRelease(
      String name, String kind, String version, long sequence, Artifact artifact, Map<String, String> arguments) {
    Optional<Artifact> packed = Optional.of(artifact);
    return new UnsignedRelease(name, kind, version, sequence, packed, arguments, List.of(), Instant.now());
  }

  private Artifact upload(String name, byte[] bytes) {
    Path archive = folder.resolve(name + ".tar.gz");
    new FileTree().addFile(name + ".tar.gz", bytes).writeTo(folder);
    Artifact artifact = Artifact.of(archive);
    rest.upload("artifacts/" + artifact.sha256(), archive);
    return artifact;
  }
}
