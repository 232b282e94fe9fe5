package dev.uplift.temporaldev.stack;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.temporaldev.process.LogFile;
import dev.uplift.temporaldev.process.StackException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.file.PathUtils;

/// PostgreSQL, with the settings that it has by default: what it has confirmed is on the disk.
public final class LocalPostgresServer extends StackProcess {
  static final String USER = "uplift";

  /// The database of the Uplift servers.
  static final String DATABASE = "uplift";

  private final StackContext stack;

  LocalPostgresServer(ProcessContext context, StackContext stack) {
    super(context);
    this.stack = stack;
  }

  int port() {
    return stack.ports().portOf(name());
  }

  /// Returns the URL of the database of the Uplift servers.
  public String url() {
    return urlAtPort(port());
  }

  String urlAtPort(int port) {
    return "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, DATABASE);
  }

  Path passwordFile() {
    return stack.secrets().passwordFile(USER);
  }

  private Path data() {
    return folder().resolve("data");
  }

  @Override
  void ensureProgram() {
    var _ = stack.programs().postgres();
  }

  @Override
  LaunchCommand prepareLaunch() {
    stack.ports().checkFree(name());
    if (!Files.exists(data())) {
      create();
    }
    return new LaunchCommand(
        command(
            "postgres",
            "-D",
            data().toString(),
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "port=" + port(),
            "-c",
            "unix_socket_directories=",
            "-c",
            "max_connections=200"));
  }

  /// Appears complete or not at all.
  private void create() {
    Path part = folder().resolve("data.part");
    try {
      if (Files.exists(part)) {
        PathUtils.deleteDirectory(part);
      }
      Path statements = folder().resolve("create.sql");
      PrivateFile.write(statements, "CREATE DATABASE %s;%n".formatted(DATABASE));
      run(
          new File("/dev/null"),
          "initdb",
          "--pgdata",
          part.toString(),
          "--username",
          USER,
          "--pwfile",
          passwordFile().toString(),
          "--auth",
          "scram-sha-256",
          "--encoding",
          "UTF8",
          "--locale",
          "C.UTF-8");
      run(statements.toFile(), "postgres", "--single", "-D", part.toString(), "postgres");
      Files.move(part, data());
    } catch (IOException e) {
      throw new StackException("cannot create the database cluster in " + part + ": " + e, e);
    }
  }

  private void run(File input, String... command) throws IOException {
    var builder =
        new ProcessBuilder(command(command))
            .redirectInput(input)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()));
    try {
      int code = builder.start().waitFor();
      if (code != 0) {
        throw new StackException("%s ended with code %d:%n%s".formatted(command[0], code, LogFile.tail(logFile())));
      }
    } catch (InterruptedException e) {
      throw StackException.interrupted(command[0], e);
    }
  }

  /// PostgreSQL refuses to be run by root, so root runs it in a user namespace in which it is nobody.
  private List<String> command(String... words) {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("unshare", "--user"));
    }
    command.add(stack.programs().postgres().resolve(words[0]).toString());
    command.addAll(List.of(words).subList(1, words.length));
    return command;
  }

  /// It says so in its file, for `pg_ctl`.
  @Override
  boolean isReady() {
    try {
      List<String> lines = Files.readAllLines(data().resolve("postmaster.pid"));
      return lines.size() >= 8 && lines.get(7).strip().equals("ready") && lines.getFirst().equals(Long.toString(pid()));
    } catch (IOException _) {
      return false;
    }
  }

  @Override
  List<ProcessHandle> processes() {
    return tag().processes();
  }

  /// Its other processes end by themselves, but not at once, and it is not started before.
  @Override
  void killLeftovers() {
    tag().killAll();
  }
}
