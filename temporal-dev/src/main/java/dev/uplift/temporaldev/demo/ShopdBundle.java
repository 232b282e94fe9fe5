package dev.uplift.temporaldev.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.temporaldev.demo.shopd.Shopd;
import dev.uplift.temporaldev.file.FileTree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.commons.io.IOUtils;
import org.apache.commons.io.function.Uncheck;

/// A version of `shopd` as a bundle: its jar, its price list, and the programs for the driver `bundle`.
final class ShopdBundle {
  /// Arguments of its releases for the driver.
  static final Map<String, String> RELEASE_ARGUMENTS =
      Map.of("restart", "bin/restart", "stop", "bin/stop", "health", "bin/health", "health_timeout_seconds", "5");

  private static final String PRICES = "article,price\nbread,2.90\nmilk,1.20\nolives,3.40\n";

  private ShopdBundle() {}

  static FileTree of(String version) {
    return withoutPrices(version).addFile("prices.csv", PRICES);
  }

  /// Returns a bundle whose price list is missing: it starts and is unhealthy.
  static FileTree withoutPrices(String version) {
    return new FileTree()
        .addFile("VERSION", version + "\n")
        .addFile("shopd.jar", jar())
        .addFile("bin/host.sh", resource("shopd/host.sh"))
        .addProgram("bin/restart", resource("shopd/restart"))
        .addProgram("bin/stop", resource("shopd/stop"))
        .addProgram("bin/health", resource("shopd/health"));
  }

  private static byte[] jar() {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Shopd.class.getName());
    var bytes = new ByteArrayOutputStream();
    String entry = Shopd.class.getName().replace('.', '/') + ".class";
    try (var jar = new JarOutputStream(bytes);
        InputStream code = url("shopd/Shopd.class").openStream()) {
      put(jar, "META-INF/MANIFEST.MF");
      manifest.write(jar);
      put(jar, entry);
      code.transferTo(jar);
    } catch (IOException e) {
      throw new UncheckedIOException("in memory", e);
    }
    return bytes.toByteArray();
  }

  /// Adds an entry without a time, so that equal jars are equal bytes.
  private static void put(JarOutputStream jar, String name) throws IOException {
    JarEntry entry = new JarEntry(name);
    entry.setTime(0);
    jar.putNextEntry(entry);
  }

  static String resource(String name) {
    return Uncheck.get(() -> IOUtils.toString(url(name), UTF_8));
  }

  private static URL url(String name) {
    return Objects.requireNonNull(ShopdBundle.class.getResource(name), name);
  }
}
