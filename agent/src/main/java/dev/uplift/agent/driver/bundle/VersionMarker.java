package dev.uplift.agent.driver.bundle;

import dev.uplift.agent.driver.KeyValues;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The last file that is written into a version's folder: the folder is whole. It says what the folder was made from
/// and how its service is run, so that going back needs nothing but the disk.
///
/// @param sha256 of the artifact
/// @param arguments of the release
public record VersionMarker(String sha256, PackageOptions arguments) {
  static final String NAME = "COMPLETE";

  private static final String DIGEST = "sha256";
  private static final String ARGUMENT = "argument.";

  public static VersionMarker of(ReleaseManifest release) {
    String sha256 = release.artifact().map(ReleaseManifest.Artifact::sha256).orElse("");
    return new VersionMarker(sha256, new PackageOptions(release.arguments()));
  }

  /// Empty where there is none: the folder is not whole, or was put there by hand.
  static Optional<VersionMarker> read(Path folder) throws IOException {
    try {
      var texts = KeyValues.read(Files.readString(folder.resolve(NAME)));
      Map<String, String> arguments = new TreeMap<>();
      texts.forEach((name, text) -> {
        if (name.startsWith(ARGUMENT)) {
          arguments.put(name.substring(ARGUMENT.length()), text);
        }
      });
      return Optional.of(new VersionMarker(texts.getOrDefault(DIGEST, ""), PackageOptions.of(arguments)));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  byte[] write() {
    var texts = new TreeMap<String, String>();
    texts.put(DIGEST, sha256);
    arguments.texts().forEach((name, text) -> texts.put(ARGUMENT + name, text));
    return KeyValues.write(texts);
  }
}
