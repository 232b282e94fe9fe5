package dev.uplift.e2e;

import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.programs.ServerBinaries;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A real PostgreSQL that can be killed and started again, on the same port with the same data.
/// Ends with this JVM, also when that is killed.
final class Postgres implements AutoCloseable {
  private static final String USER = "postgres";

  private final int port;
  private final Path binaries;
  private final Path data;
  private EmbeddedPostgres server;

  /// Runs at once.
  ///
  /// @param port that no program takes while this one is away
  Postgres(int port) {
    this.port = port;
    this.data = Reaper.ofThisJvm().temporaryFolder("uplift-postgresql-").resolve("data");
    try {
      this.binaries = Files.createDirectories(ServerBinaries.cacheFolder().resolve("postgresql"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Reaper.ofThisJvm().shutDownPostgresAtExit(data);
    this.server = started();
  }

  String url() {
    return server.getJdbcUrl(USER, "postgres");
  }

  String user() {
    return USER;
  }

  /// As `kill -9` of all its processes does.
  void kill() {
    ProcessHandle postmaster = postmaster();
    // They would hold on to its shared memory until they notice that it is gone.
    List<ProcessHandle> all =
        Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(one -> one.onExit().join());
  }

  void start() {
    try {
      // The one that is dead still has it; a clean end would look for what is gone.
      Files.deleteIfExists(data.resolve("epg-lock"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server = started();
  }

  private ProcessHandle postmaster() {
    try (Stream<String> lines = Files.lines(data.resolve("postmaster.pid"))) {
      long pid = Long.parseLong(lines.findFirst().orElseThrow().strip());
      return ProcessHandle.of(pid).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private EmbeddedPostgres started() {
    try {
      return EmbeddedPostgres.builder()
          .setPort(port)
          .setOverrideWorkingDirectory(binaries.toFile())
          .setDataDirectory(data)
          // The folder is the reaper's to remove.
          .setCleanDataDirectory(false)
          .setRegisterShutdownHook(false)
          .setServerConfig("synchronous_commit", "on")
          .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
          .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
