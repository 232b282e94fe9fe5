package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.temporaldev.programs.ServerBinaries;
import dev.uplift.temporaldev.programs.UpliftHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The agent as a device gets it: built twice, and run by its launcher against a real nats-server over TLS, with all of
/// its functions.
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class DistributionTest {
  private static final Pattern FIGURE = Pattern.compile("(\\S.*?)\\s{2,}([0-9.]+)");
  private static final String CACHE = "agent.aot";

  /// Tolerance of memory figures, because of other work on the machine.
  private static final double SLACK = 1.1;

  @TempDir private Path folder;

  /// OH-77: an upgrade brings the files that an installation by hand has.
  @Test
  void theBuildIsReproducibleRunsAndIsSmall() throws Exception {
    Path once = folder.resolve("once");
    script("make", once.toString());
    script("make", "--without-cache", folder.resolve("twice").toString());

    SortedMap<String, String> first = files(once.resolve("uplift-agent"));
    SortedMap<String, String> second = files(folder.resolve("twice/uplift-agent"));
    assertThat(second.keySet()).noneMatch(each -> each.endsWith(CACHE));
    assertThat(withoutCache(first)).isEqualTo(withoutCache(second));
    assertCacheHasChecksums(once);
    assertArchiveHasTheInstalledFiles(once);

    Map<String, Double> found = measured(script("measure", "--briefly", once.toString()));
    assertThat(found.get("next version to download, MB")).isLessThanOrEqualTo(7.0);
    assertThat(found.get("full installation on disk, MB")).isLessThanOrEqualTo(75);
    assertThat(found.get("after work, resident, MiB")).isLessThanOrEqualTo(55 * SLACK);
    assertThat(found.get("after work, anonymous, MiB")).isLessThanOrEqualTo(22 * SLACK);
    assertThat(found.get("two at once, proportional, MiB")).isLessThanOrEqualTo(75 * SLACK);
  }

  private static void assertCacheHasChecksums(Path made) throws Exception {
    Path version = made.resolve("uplift-agent/current").toRealPath();
    String hash = hash(version.resolve(CACHE));
    String name = made.toRealPath().relativize(version.resolve(CACHE)).toString();

    assertThat(version.resolve("manifest")).content().contains(hash + "  " + CACHE + "\n");
    assertThat(made.resolve("SHA256SUMS")).content().contains(hash + "  " + name + "\n");
  }

  private void assertArchiveHasTheInstalledFiles(Path made) throws Exception {
    Path installed = made.resolve("uplift-agent/current").toRealPath();
    Path archive;
    try (Stream<Path> outputs = Files.list(made)) {
      archive =
          outputs
              .filter(file -> file.toString().endsWith(".tar.gz") && !file.toString().endsWith("-full.tar.gz"))
              .findFirst()
              .orElseThrow();
    }
    Path unpacked = Files.createDirectory(folder.resolve("unpacked"));
    Process tar = new ProcessBuilder("tar", "-xzf", archive.toString(), "-C", unpacked.toString()).start();
    assertThat(tar.waitFor()).isZero();

    SortedMap<String, String> expected = files(installed);
    expected.remove("COMPLETE");
    assertThat(files(unpacked)).isEqualTo(expected);
  }

  /// Removes the line of the cache from the manifest, and `COMPLETE`, which has the digest of the archive, cache
  /// included.
  private static SortedMap<String, String> withoutCache(SortedMap<String, String> files) {
    var others = new TreeMap<>(files);
    others.keySet().removeIf(each -> each.endsWith(CACHE) || each.endsWith("/COMPLETE"));
    return others;
  }

  /// Returns mode, date and hash of each file, and the target of each link.
  private static SortedMap<String, String> files(Path root) throws Exception {
    var files = new TreeMap<String, String>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : all.filter(each -> !Files.isDirectory(each)).toList()) {
        files.put(root.relativize(file).toString(), look(file));
      }
    }
    return files;
  }

  private static String look(Path file) throws Exception {
    if (Files.isSymbolicLink(file)) {
      return Files.readSymbolicLink(file).toString();
    }
    String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    String date = Files.getLastModifiedTime(file).toString();
    if (file.endsWith("manifest")) {
      List<String> lines = Files.readAllLines(file);
      return mode + lines.stream().filter(line -> !line.endsWith(CACHE)).toList() + date;
    }
    return mode + hash(file) + date;
  }

  private static String hash(Path file) throws Exception {
    byte[] all = Files.readAllBytes(file);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(all));
  }

  private static Map<String, Double> measured(List<String> lines) {
    Map<String, Double> figures = new HashMap<>();
    for (String line : lines) {
      Matcher figure = FIGURE.matcher(line);
      if (figure.matches()) {
        figures.put(figure.group(1), Double.valueOf(figure.group(2)));
      }
    }
    return figures;
  }

  private List<String> script(String name, String... words) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(UpliftHome.find().resolve("agent/src/main/dist").resolve(name).toString());
    line.addAll(List.of(words));
    Path log = folder.resolve(name + ".log");
    var script = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile());
    script.environment().put("NATS_SERVER", ServerBinaries.find(System.out::println).natsServer().toString());
    int ended = script.start().waitFor();
    String said = Files.readString(log, UTF_8);
    assertThat(ended).as(said).isZero();
    return said.lines().toList();
  }
}
