package dev.uplift.agent.driver.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.download.DownloadControl;
import dev.uplift.agent.download.DownloadTimeouts;
import dev.uplift.agent.download.Downloader;
import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.TestJobs;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.ReleaseManifest.Artifact;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A host with a shop on it, in a folder. The shop "serves" the version that its last restart wrote to `serving`, and
/// each restart leaves a line in `starts`.
public final class ShopHost {
  /// Asked whether the shop is well; a version whose archive has a file `broken` never is.
  private static final Map<String, String> ARGUMENTS =
      Map.of(
          "restart", "cp version ../../serving; echo \"$UPLIFT_VERSION\" >>../../starts",
          "health", "test ! -e broken && cmp -s version ../../serving",
          "health_timeout_seconds", "60",
          "stop", "rm -f ../../serving");

  private final Path folder;
  private final FileOps files;
  private String bootId = "boot-1";

  public ShopHost(Path folder, FileOps files) {
    this.folder = folder;
    this.files = files;
  }

  void boot(String id) {
    bootId = id;
  }

  BundleDriver driver() {
    return new BundleDriver(setup());
  }

  private PackageContext setup() {
    Host host = new Host("acme", "till-1", files, () -> bootId);
    return new PackageContext(host, "shopd", shopFolder(), folder.resolve("state"), PackageOptions.NONE);
  }

  public Path shopFolder() {
    return folder.resolve("shop");
  }

  Path cache() {
    return folder.resolve("cache");
  }

  /// As if a factory had put it there.
  public void install(String version) throws IOException {
    Path versions = Files.createDirectories(shopFolder().resolve("versions").resolve(version));
    Files.writeString(versions.resolve("version"), version + "\n");
    Files.createSymbolicLink(shopFolder().resolve("current"), Path.of("versions", version));
    Files.writeString(shopFolder().resolve("serving"), version + "\n");
  }

  public static byte[] archive(String version) {
    return new TarBuilder().folder("bin").program("bin/shopd", "#!/bin/sh").file("version", version + "\n").tarGz();
  }

  static byte[] brokenArchive(String version) {
    return new TarBuilder().file("version", version + "\n").file("broken", "").tarGz();
  }

  public static ReleaseManifest release(String version, byte[] archive) {
    return release(version, archive, Map.of());
  }

  static ReleaseManifest release(String version, byte[] archive, Map<String, String> others) {
    var arguments = new TreeMap<>(ARGUMENTS);
    arguments.putAll(others);
    Artifact artifact = new Artifact(archive.length, sha256(archive));
    return TestJobs.release("bundle", version, Optional.of(artifact), arguments);
  }

  /// A command whose artifact is fetched from there.
  FakeJob job(String id, CommandAction commandAction, String version, ReleaseManifest release, String address) {
    Artifact artifact = release.artifact().orElseThrow();
    return TestJobs.job(
        id,
        commandAction,
        version,
        release,
        job ->
            new Downloader(files, cache(), DownloadTimeouts.DEFAULTS)
                .fetch(address, artifact, new DownloadControl(job::isCancelled, job::reportProgress)));
  }

  /// Returns the version that the shop serves; empty if none responds.
  public String servedVersion() throws IOException {
    Path serving = shopFolder().resolve("serving");
    return Files.exists(serving) ? Files.readString(serving).strip() : "";
  }

  /// The versions that were started, in order.
  public List<String> starts() throws IOException {
    Path starts = shopFolder().resolve("starts");
    return Files.exists(starts) ? Files.readAllLines(starts, UTF_8) : List.of();
  }

  /// Returns the version that `current` leads to, which must be complete.
  public String current() {
    try {
      Path current = shopFolder().resolve("current");
      return Files.exists(current.resolve("version")) ? Files.readString(current.resolve("version")).strip() : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
