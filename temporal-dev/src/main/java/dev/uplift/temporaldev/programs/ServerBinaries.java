package dev.uplift.temporaldev.programs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.temporaldev.process.LogFile;
import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.process.StackException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.commons.io.IOUtils;
import org.apache.commons.io.function.Uncheck;

/// Locates or builds the server binaries.
///
/// A binary on the PATH is used if its version is sufficient. Otherwise it is built once, from the Go module that pins
/// it, into a cache outside the source tree: `$XDG_CACHE_HOME/uplift/servers`, by default in `~/.cache`, one folder per
/// version. A build appears there atomically by rename; concurrent builders wait for the first.
public record ServerBinaries(Path temporal, Path natsServer) {
  private static final Object BUILD_LOCK = new Object();

  /// Finds those of a stack of single servers and builds missing ones. `progress` gets a line before and after each
  /// build.
  public static ServerBinaries find(Consumer<String> progress) {
    var binaryCache = new BinaryCache(cacheFolder(), progress);
    return new ServerBinaries(binaryCache.find(ServerBinary.TEMPORAL), binaryCache.find(ServerBinary.NATS_SERVER));
  }

  /// Finds or builds binaries and prints their paths: run by the build before the first tests.
  ///
  /// @param args names of binaries; none for those of a stack of single servers
  public static void main(String[] args) {
    List<ServerBinary> binaries =
        args.length == 0
            ? List.of(ServerBinary.TEMPORAL, ServerBinary.NATS_SERVER)
            : Arrays.stream(args).map(ServerBinary::ofExecutable).toList();
    for (ServerBinary serverBinary : binaries) {
      System.out.println(find(serverBinary, System.out::println));
    }
  }

  /// Finds or builds only one.
  static Path find(ServerBinary serverBinary, Consumer<String> progress) {
    return new BinaryCache(cacheFolder(), progress).find(serverBinary);
  }

  /// Returns the folder that all builds of this user share.
  public static Path cacheFolder() {
    String xdg = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
    Path caches = xdg.startsWith("/") ? Path.of(xdg) : Path.of(System.getProperty("user.home"), ".cache");
    return caches.resolve("uplift").resolve("servers");
  }

  /// Finds or builds one program in a cache.
  record BinaryCache(Path cache, Consumer<String> progress) {
    Path find(ServerBinary serverBinary) {
      return serverBinary.findInstalled().or(() -> findBuilt(serverBinary)).orElseGet(() -> build(serverBinary));
    }

    private Path binaryFile(ServerBinary serverBinary) {
      String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
      return cache.resolve(versionedName(serverBinary) + "-" + machine).resolve(serverBinary.executable());
    }

    private static String versionedName(ServerBinary serverBinary) {
      return serverBinary.executable() + "-" + version(serverBinary);
    }

    private static ToolVersion version(ServerBinary serverBinary) {
      return serverBinary.pinnedVersion(readResource(serverBinary.moduleFolder() + "go.mod").lines().toList());
    }

    private Optional<Path> findBuilt(ServerBinary serverBinary) {
      return Optional.of(binaryFile(serverBinary)).filter(Files::isExecutable);
    }

    private Path build(ServerBinary serverBinary) {
      GoToolchain goToolchain = GoToolchain.find(serverBinary.executable());
      // The file lock is for other processes; within one JVM it would throw instead of wait.
      synchronized (BUILD_LOCK) {
        try {
          Files.createDirectories(cache);
          try (FileChannel channel = lockFile();
              var _ = lock(channel)) {
            return findBuilt(serverBinary).orElseGet(() -> buildLocked(serverBinary, goToolchain));
          }
        } catch (IOException e) {
          throw new StackException(
              "cannot store built servers in %s (%s): make it writable, or set XDG_CACHE_HOME".formatted(cache, e), e);
        }
      }
    }

    private FileChannel lockFile() throws IOException {
      return FileChannel.open(cache.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private FileLock lock(FileChannel channel) throws IOException {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        progress.accept("waiting for another process that builds servers");
        lock = channel.lock();
      }
      return lock;
    }

    private Path buildLocked(ServerBinary serverBinary, GoToolchain goToolchain) {
      Path place = binaryFile(serverBinary);
      progress.accept("building %s, once (takes minutes)".formatted(versionedName(serverBinary)));
      long start = System.nanoTime();
      try {
        Path module = Files.createDirectories(cache.resolve("module").resolve(serverBinary.moduleFolder()));
        for (String file : List.of("go.mod", "go.sum")) {
          Files.writeString(module.resolve(file), readResource(serverBinary.moduleFolder() + file));
        }
        Files.createDirectories(place.resolveSibling(""));
        Path part = place.resolveSibling(serverBinary.executable() + ".part");
        compile(goToolchain, serverBinary, module, part);
        Files.move(part, place, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      progress.accept(
          "built %s in %d s".formatted(versionedName(serverBinary), (System.nanoTime() - start) / 1_000_000_000));
      return place;
    }

    private static void compile(GoToolchain goToolchain, ServerBinary serverBinary, Path module, Path output)
        throws IOException {
      ToolVersion toolVersion = version(serverBinary);
      Path log = output.resolveSibling("build.log");
      var builder =
          new ProcessBuilder(
              goToolchain.program().toString(),
              "build",
              "-mod=readonly",
              "-trimpath",
              "-ldflags",
              "-s -w -X github.com/temporalio/cli/temporalcli.Version=" + toolVersion,
              "-o",
              output.toString(),
              serverBinary.source());
      builder.directory(module.toFile()).redirectErrorStream(true).redirectOutput(log.toFile());
      builder.environment().put("GOTOOLCHAIN", "local");
      builder.environment().put("GOWORK", "off");
      builder.environment().put("CGO_ENABLED", "0");
      Process build = Reaper.ofThisJvm().start(builder, "build." + serverBinary.executable());
      try {
        build.getOutputStream().close();
        if (build.waitFor() != 0) {
          throw new StackException(
              "could not build %s %s:%n%s".formatted(serverBinary.executable(), toolVersion, LogFile.tail(log)));
        }
      } catch (InterruptedException e) {
        build.destroy();
        throw StackException.interrupted("building " + serverBinary.executable(), e);
      }
    }
  }

  private static String readResource(String name) {
    URL url = Objects.requireNonNull(ServerBinaries.class.getResource(name), name);
    return Uncheck.get(() -> IOUtils.toString(url, UTF_8));
  }
}
