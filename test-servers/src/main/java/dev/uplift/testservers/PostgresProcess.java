package dev.uplift.testservers;

import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.programs.ServerBinaries;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// PostgreSQL as processes.
final class PostgresProcess implements PostgresServer {
  private final int port;
  private final Path binaries;
  private final Path data;
  private EmbeddedPostgres server;

  PostgresProcess(int port) {
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

  @Override
  public String url(String database) {
    // Not the one that the server gives, which names a user, and so overrides any other.
    return "jdbc:postgresql://localhost:%d/%s".formatted(server.getPort(), database);
  }

  @Override
  public void kill() {
    ProcessHandle postmaster = postmaster();
    // They would hold on to its shared memory until they notice that it is gone.
    List<ProcessHandle> all = Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(one -> one.onExit().join());
  }

  @Override
  public void start() {
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
