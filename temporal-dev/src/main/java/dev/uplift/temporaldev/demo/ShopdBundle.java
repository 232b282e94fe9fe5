package dev.uplift.temporaldev.demo;

import dev.uplift.temporaldev.demo.shopd.Shopd;
import dev.uplift.temporaldev.file.FileTree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/// A version of `shopd` as it is shipped: its jar, its price list, and the programs that the driver
/// `bundle` runs.
final class ShopdBundle {
  /// What its releases tell the driver.
  static final Map<String, String> RELEASE_ARGUMENTS =
      Map.of("restart", "bin/restart", "stop", "bin/stop", "health", "bin/health", "health_timeout_seconds", "5");

  private static final String PRICES = "article,price\nbread,2.90\nmilk,1.20\nolives,3.40\n";

  private ShopdBundle() {}

  static FileTree of(String version) {
    return withoutPrices(version).addFile("prices.csv", PRICES);
  }

  /// Somebody forgot to pack the price list. It starts, and is not well.
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
        InputStream code = open(Shopd.class, "Shopd.class")) {
      put(jar, "META-INF/MANIFEST.MF");
      manifest.write(jar);
      put(jar, entry);
      code.transferTo(jar);
    } catch (IOException e) {
      throw new UncheckedIOException("in memory", e);
    }
    return bytes.toByteArray();
  }

  /// Without a time of its own, for equal jars to be equal bytes.
  private static void put(JarOutputStream jar, String name) throws IOException {
    JarEntry entry = new JarEntry(name);
    entry.setTime(0);
    jar.putNextEntry(entry);
  }

  static String resource(String name) {
    try (InputStream in = open(ShopdBundle.class, name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(Class<?> beside, String name) {
    InputStream in = beside.getResourceAsStream(name);
    if (in == null) {
      throw new IllegalStateException("not on the class path: " + name);
    }
    return in;
  }
}
