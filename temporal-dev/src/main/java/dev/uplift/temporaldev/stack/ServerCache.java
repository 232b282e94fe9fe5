package dev.uplift.temporaldev.stack;

import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.programs.ProgramLocator;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.commons.codec.digest.DigestUtils;

/// The loaded and linked classes of a server, in a file beside the folder of its program. With it a server takes half
/// of the processor time until it is ready.
///
/// The name of the file says of which Java and which jars it was made: the JVM refuses it with any other, and then
/// starts more slowly than without a file.
public final class ServerCache {
  private static final Duration ASSEMBLY_TIMEOUT = Duration.ofMinutes(5);
  private static final String PROGRAM = File.separator + "*";

  private ServerCache() {}

  /// Returns whether this process is a command that the script `uplift` has started, and not a test.
  public static boolean isWanted() {
    return Boolean.getBoolean("uplift.caches");
  }

  /// Makes the file before many servers start, as those of a build's tests.
  public static void main(String[] args) {
    makeIfMissing(System.err::println);
  }

  /// Returns the file for a class path; empty if there is none, or the class path is not the folder of a program.
  static Optional<Path> find(String classPath) {
    return classPath.endsWith(PROGRAM)
        ? Optional.of(fileFor(programFolder(classPath))).filter(Files::exists)
        : Optional.empty();
  }

  /// Makes the file unless it exists, and removes those of earlier builds. Takes half a minute: a server of a temporary
  /// stack of its own starts, and ends. If that fails there is no file, and the next call tries again.
  ///
  /// @param output receives one line if it fails
  public static void makeIfMissing(Consumer<String> output) {
    String classPath = ProgramLocator.serverClassPath();
    Path file = fileFor(programFolder(classPath));
    if (Files.exists(file)) {
      return;
    }
    try (Stack stack = Stack.temporary().temporalInMemory().tls().open()) {
      deleteAll(file.resolveSibling(""), "server-*.aot*");
      Path configuration = stack.folder().resolve("classes");
      // Another `up` may make one at the same time.
      Path made = file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid());
      UpliftServer server =
          stack.server().withJavaOption("-XX:AOTMode=record").withJavaOption("-XX:AOTConfiguration=" + configuration);
      stack.start();
      server.stop();
      List<String> command = new ArrayList<>(List.of("nice", "-n", "19"));
      List<String> options = new ArrayList<>(UpliftServer.JAVA_OPTIONS);
      options.addAll(List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + configuration, "-XX:AOTCache=" + made));
      command.addAll(ProgramLocator.javaCommand(options, classPath, UpliftServer.MAIN, List.of()));
      StackProgram assembly = stack.program("cache", command);
      assembly.start();
      assembly.awaitEnd(ASSEMBLY_TIMEOUT);
      publish(made, file);
    } catch (StackException | IOException | UncheckedIOException e) {
      output.accept("servers start more slowly, because their classes could not be written to " + file + ": " + e);
    }
  }

  /// A damaged file can crash the JVM: it has its name only when all of it is on the disk.
  private static void publish(Path made, Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(made, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void deleteAll(Path folder, String pattern) throws IOException {
    try (DirectoryStream<Path> old = Files.newDirectoryStream(folder, pattern)) {
      for (Path each : old) {
        Files.deleteIfExists(each);
      }
    }
  }

  private static Path programFolder(String classPath) {
    return Path.of(classPath.substring(0, classPath.length() - PROGRAM.length()));
  }

  private static Path fileFor(Path program) {
    var key = new TreeSet<String>();
    key.add(System.getProperty("java.home") + " " + System.getProperty("java.vm.version"));
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(program, "*.jar")) {
      for (Path jar : jars) {
        key.add(jar + " " + Files.size(jar) + " " + Files.getLastModifiedTime(jar));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return program.resolveSibling("server-" + DigestUtils.sha256Hex(key.toString()).substring(0, 16) + ".aot");
  }
}
