package dev.uplift.cli.demo;

import dev.uplift.cli.release.ReleaseKey;
import dev.uplift.cli.release.ReleaseText;
import dev.uplift.cli.release.ReleaseText.Artifact;
import dev.uplift.cli.rest.Rest;
import dev.uplift.temporaldev.AgentVersion;
import dev.uplift.temporaldev.Tree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The releases of the demo: packed, signed as a person would offline, and brought to the server.
final class Releases {
  private final Rest rest;
  private final ReleaseKey key;
  private final Path folder;

  /// @param folder where the archives are packed
  Releases(Rest rest, ReleaseKey key, Path folder) {
    this.rest = rest;
    this.key = key;
    this.folder = folder;
  }

  int publishAll() {
    publish("1.4.0", 140, ShopdBundle.of("1.4.0"));
    publish("1.5.0", 150, ShopdBundle.of("1.5.0"));
    publish("1.6.0", 160, ShopdBundle.withoutPrices("1.6.0"));
    Tree image = Kiosk.image("7.2", ShopdBundle.of("1.5.0"));
    Artifact artifact = pack(Kiosk.PACKAGE + "-7.2", image);
    release(Kiosk.PACKAGE, "script", "7.2", 702, artifact, Map.of()).publish(rest, key);
    return 4;
  }

  /// A version of the agent: packed, signed and brought as everything else.
  void publish(AgentVersion agent, long sequence) {
    Artifact artifact = upload("uplift-agent-" + agent.name(), agent.archive());
    release("uplift-agent", "agent", agent.name(), sequence, artifact, Map.of()).publish(rest, key);
  }

  private void publish(String version, long sequence, Tree content) {
    Artifact artifact = pack("shopd-" + version, content);
    release("shopd", "bundle", version, sequence, artifact, ShopdBundle.ARGUMENTS)
        .publish(rest, key);
  }

  private static ReleaseText release(
      String name,
      String kind,
      String version,
      long sequence,
      Artifact artifact,
      Map<String, String> arguments) {
    Optional<Artifact> packed = Optional.of(artifact);
    return new ReleaseText(
        name, kind, version, sequence, packed, arguments, List.of(), Instant.now());
  }

  /// Packs it and brings it to the server.
  private Artifact pack(String name, Tree content) {
    return upload(name, content.tarGz());
  }

  private Artifact upload(String name, byte[] bytes) {
    Path archive = folder.resolve(name + ".tar.gz");
    try {
      Files.createDirectories(folder);
      Files.write(archive, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Artifact artifact = Artifact.of(archive);
    rest.upload("artifacts/" + artifact.sha256(), archive);
    return artifact;
  }
}
