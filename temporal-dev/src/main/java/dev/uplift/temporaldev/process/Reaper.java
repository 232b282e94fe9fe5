package dev.uplift.temporaldev.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.commons.io.IOUtils;
import org.apache.commons.io.function.Uncheck;
import org.jspecify.annotations.Nullable;

/// Ensures that nothing outlives this JVM, even if it is killed with -9: a shell process reads registrations from its
/// standard input and, at the end of the input, kills every process that was started here with all its descendants,
/// also detached ones, shuts PostgreSQL down and removes temporary folders.
///
/// After an orderly end there is nothing left for it to do. Thread-safe.
public final class Reaper {
  private final ProcessTag tag = ProcessTag.random().append("jvm");
  private final List<String> registrations = new ArrayList<>();
  private @Nullable Process shell;

  private Reaper() {}

  private static final class OfThisJvm {
    static final Reaper REAPER = new Reaper();
  }

  /// Returns the reaper of this JVM. Its shell starts with the first registration.
  public static Reaper ofThisJvm() {
    return OfThisJvm.REAPER;
  }

  /// Starts a process that ends with this JVM, together with its descendants.
  public Process start(ProcessBuilder builder, String name) throws IOException {
    return start(builder, name, ProcessBuilder::start);
  }

  /// Starts a process as above, where `programStarter` runs it.
  public Process start(ProcessBuilder builder, String name, ProgramStarter programStarter) throws IOException {
    return start(builder, tag.append(name), tag, programStarter);
  }

  public Process start(ProcessBuilder builder, ProcessTag own, ProcessTag covering) throws IOException {
    return start(builder, own, covering, ProcessBuilder::start);
  }

  public Process start(ProcessBuilder builder, ProcessTag own, ProcessTag covering, ProgramStarter programStarter)
      throws IOException {
    register("tag " + covering.value());
    own.addTo(builder.environment());
    return programStarter.start(builder);
  }

  /// Creates an empty folder, readable by its owner only, that is removed when this JVM ends.
  public Path temporaryFolder(String prefix) {
    Path folder =
        Uncheck.get(() ->
            Files.createTempDirectory(
                prefix, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
    deleteAtExit(folder);
    return folder;
  }

  /// Removes the folder with its content when this JVM ends.
  public void deleteAtExit(Path folder) {
    if (folder.toAbsolutePath().normalize().getNameCount() < 2) {
      throw new IllegalArgumentException("not a temporary folder: " + folder);
    }
    register("folder " + line(folder));
  }

  /// Shuts the PostgreSQL of this data folder down when this JVM ends.
  public void shutDownPostgresAtExit(Path data) {
    register("postgres " + line(data));
  }

  /// Keeps the folder, or the database in it, after all.
  public synchronized void unregister(Path path) {
    String line = line(path);
    registrations.removeIf(each -> each.equals("folder " + line) || each.equals("postgres " + line));
    if (shell != null) {
      send("forget " + line);
    }
  }

  private static String line(Path path) {
    String line = path.toAbsolutePath().normalize().toString();
    if (line.indexOf('\n') >= 0) {
      throw new IllegalArgumentException("a path with a line break in it");
    }
    return line;
  }

  private synchronized void register(String registration) {
    if (!registrations.contains(registration)) {
      registrations.add(registration);
      send(registration);
    }
  }

  private void send(String registration) {
    Process reader = shell;
    try {
      if (reader == null || !reader.isAlive()) {
        reader = startShell();
        shell = reader;
        for (String each : registrations) {
          write(reader, each);
        }
      } else {
        write(reader, registration);
      }
    } catch (IOException e) {
      throw new StackException("cannot start the shell that ends processes", e);
    }
  }

  private static void write(Process reader, String line) throws IOException {
    reader.getOutputStream().write((line + "\n").getBytes(UTF_8));
    reader.getOutputStream().flush();
  }

  private static Process startShell() throws IOException {
    List<String> command = new ArrayList<>(ProcessSession.prefix());
    command.addAll(List.of("/bin/sh", "-c", script(), "uplift-reaper"));
    var builder = new ProcessBuilder(command).directory(new File("/"));
    // It must outlive the processes that are killed with this JVM.
    builder.environment().remove(ProcessTag.VARIABLE);
    return builder
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static String script() throws IOException {
    return IOUtils.toString(Objects.requireNonNull(Reaper.class.getResource("reaper.sh")), UTF_8);
  }
}
