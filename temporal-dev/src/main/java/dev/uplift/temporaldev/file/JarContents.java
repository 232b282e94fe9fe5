package dev.uplift.temporaldev.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/// The content of a jar or of a folder of classes, without the manifest.
///
/// @param version in its manifest; empty if absent
/// @param buildTime in its manifest; empty if absent
public record JarContents(SortedMap<String, byte[]> entries, String version, String buildTime) {
  public static JarContents read(Path path) throws IOException {
    return Files.isDirectory(path) ? readFolder(path) : readJar(path);
  }

  private static JarContents readFolder(Path folder) throws IOException {
    var entries = new TreeMap<String, byte[]>();
    try (Stream<Path> files = Files.walk(folder)) {
      // Also its services: one of them is the logger.
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        entries.put(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return new JarContents(entries, "", "");
  }

  private static JarContents readJar(Path path) throws IOException {
    var entries = new TreeMap<String, byte[]>();
    try (var jar = new JarFile(path.toFile())) {
      for (JarEntry entry : jar.stream().toList()) {
        if (!entry.isDirectory() && !entry.getName().equals(JarFile.MANIFEST_NAME)) {
          try (InputStream in = jar.getInputStream(entry)) {
            entries.put(entry.getName(), in.readAllBytes());
          }
        }
      }
      Manifest manifest = jar.getManifest();
      return new JarContents(
          entries,
          attribute(manifest, Attributes.Name.IMPLEMENTATION_VERSION),
          attribute(manifest, Attributes.Name.SPECIFICATION_VERSION));
    }
  }

  public JarContents withVersion(String other) {
    return new JarContents(entries, other, buildTime);
  }

  private static String attribute(@Nullable Manifest manifest, Attributes.Name name) {
    String text = manifest == null ? null : manifest.getMainAttributes().getValue(name);
    return text == null ? "" : text;
  }

  public boolean contains(String entry) {
    return entries.containsKey(entry);
  }

  /// Packs the jar, uncompressed and without times. Deterministic.
  public byte[] toBytes() {
    var bytes = new ByteArrayOutputStream();
    try (var jar = new JarOutputStream(bytes)) {
      jar.setLevel(Deflater.NO_COMPRESSION);
      put(jar, JarFile.MANIFEST_NAME);
      manifest().write(jar);
      for (var entry : entries.entrySet()) {
        put(jar, entry.getKey());
        jar.write(entry.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("in memory", e);
    }
    return bytes.toByteArray();
  }

  private Manifest manifest() {
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (!version.isEmpty()) {
      manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    }
    if (!buildTime.isEmpty()) {
      manifest.getMainAttributes().put(Attributes.Name.SPECIFICATION_VERSION, buildTime);
    }
    return manifest;
  }

  private static void put(JarOutputStream jar, String name) throws IOException {
    var entry = new JarEntry(name);
    entry.setTime(0);
    jar.putNextEntry(entry);
  }
}
