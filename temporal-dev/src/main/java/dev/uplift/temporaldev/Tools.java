package dev.uplift.temporaldev;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/// Where the server programs are.
///
/// What the PATH has in a sufficient version is used. Else each is built once, from the Go module
/// that pins it, into a cache outside the source tree: `$XDG_CACHE_HOME/uplift/servers`, by default
/// in `~/.cache`, one folder per version. A build appears there by rename, whole or not at all, and
/// of several builders at once one builds and the others wait for it.
public record Tools(Path temporal, Path natsServer) {
  private static final Object ONE_AT_A_TIME = new Object();

  /// Finds both, and builds what is missing. `progress` gets a line before and after each build.
  public static Tools find(Consumer<String> progress) {
    var workshop = new Workshop(cache(), progress);
    return new Tools(workshop.find(Tool.TEMPORAL), workshop.find(Tool.NATS_SERVER));
  }

  /// Has both there and says where: what the build does before the first test that needs them.
  public static void main(String[] args) {
    Tools tools = find(System.out::println);
    System.out.println(tools.temporal());
    System.out.println(tools.natsServer());
  }

  /// For those who need no more: finds or builds just one.
  static Path find(Tool tool, Consumer<String> progress) {
    return new Workshop(cache(), progress).find(tool);
  }

  /// The folder that all builds of this user share.
  public static Path cache() {
    String xdg = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
    Path caches =
        xdg.startsWith("/") ? Path.of(xdg) : Path.of(System.getProperty("user.home"), ".cache");
    return caches.resolve("uplift").resolve("servers");
  }

  /// Finds or builds one program in a cache.
  record Workshop(Path cache, Consumer<String> progress) {
    Path find(Tool tool) {
      return tool.installed().or(() -> built(tool)).orElseGet(() -> build(tool));
    }

    private Path place(Tool tool) {
      String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
      return cache.resolve(name(tool) + "-" + machine).resolve(tool.program());
    }

    private static String name(Tool tool) {
      return tool.program() + "-" + version(tool);
    }

    private static Version version(Tool tool) {
      return tool.pinned(resource("go.mod").lines().toList());
    }

    private Optional<Path> built(Tool tool) {
      return Optional.of(place(tool)).filter(Files::isExecutable);
    }

    private Path build(Tool tool) {
      Go go = Go.find(tool.program());
      // The file lock is for other processes; within one it would be refused, not waited for.
      synchronized (ONE_AT_A_TIME) {
        try {
          Files.createDirectories(cache);
          try (FileChannel channel = lockFile();
              var _ = lock(channel)) {
            return built(tool).orElseGet(() -> buildNow(tool, go));
          }
        } catch (IOException e) {
          throw new StackFailure(
              "cannot keep built servers in %s (%s): make it writable, or set XDG_CACHE_HOME"
                  .formatted(cache, e),
              e);
        }
      }
    }

    private FileChannel lockFile() throws IOException {
      return FileChannel.open(
          cache.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private FileLock lock(FileChannel channel) throws IOException {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        progress.accept("waiting for another process that builds servers");
        lock = channel.lock();
      }
      return lock;
    }

    private Path buildNow(Tool tool, Go go) {
      Path place = place(tool);
      progress.accept("building %s, once (takes minutes)".formatted(name(tool)));
      long start = System.nanoTime();
      try {
        Path module = Files.createDirectories(cache.resolve("module"));
        Files.writeString(module.resolve("go.mod"), resource("go.mod"));
        Files.writeString(module.resolve("go.sum"), resource("go.sum"));
        Files.createDirectories(place.resolveSibling(""));
        Path part = place.resolveSibling(tool.program() + ".part");
        compile(go, tool, module, part);
        Files.move(part, place, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      progress.accept(
          "built %s in %d s".formatted(name(tool), (System.nanoTime() - start) / 1_000_000_000));
      return place;
    }

    private static void compile(Go go, Tool tool, Path module, Path output) throws IOException {
      Version version = version(tool);
      Path log = output.resolveSibling("build.log");
      var builder =
          new ProcessBuilder(
              go.program().toString(),
              "build",
              "-mod=readonly",
              "-trimpath",
              "-ldflags",
              "-s -w -X github.com/temporalio/cli/temporalcli.Version=" + version,
              "-o",
              output.toString(),
              tool.source());
      builder.directory(module.toFile()).redirectErrorStream(true).redirectOutput(log.toFile());
      builder.environment().put("GOTOOLCHAIN", "local");
      builder.environment().put("GOWORK", "off");
      builder.environment().put("CGO_ENABLED", "0");
      Process build = Reaper.ofThisJvm().start(builder, "build." + tool.program());
      try {
        build.getOutputStream().close();
        if (build.waitFor() != 0) {
          throw new StackFailure(
              "could not build %s %s:%n%s".formatted(tool.program(), version, Log.tail(log)));
        }
      } catch (InterruptedException e) {
        build.destroy();
        throw StackFailure.interrupted("building " + tool.program(), e);
      }
    }
  }

  private static String resource(String name) {
    try (InputStream in = Tools.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("not on the class path: " + name);
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
