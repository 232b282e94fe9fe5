package dev.uplift.temporaldev.programs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.temporaldev.file.FileTree;
import dev.uplift.temporaldev.file.JarContents;
import dev.uplift.temporaldev.process.StackException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;

/// A version of the agent, as on a device and in its release: jars, JVM options, the name of its runtime. Unlike the
/// distribution by `make` it has no class cache and runs on the Java of this JVM, so it is available at once.
///
/// Immutable: the methods return other versions.
public final class AgentVersion {
  /// Name of the runtime of every host of a stack.
  static final String RUNTIME = "jdk";

  private static final String MAIN_CLASS_FILE = "dev/uplift/agent/Agent.class";
  private static final String DEVELOPMENT_VERSION = "0.0.0";
  private static final String JVM_OPTIONS =
      """
      -XX:+UseSerialGC
      -XX:TieredStopAtLevel=1
      -XX:-UsePerfData
      -Xmx64m
      """;

  private final String name;
  private final JarContents agent;
  private final SortedMap<String, byte[]> others;
  private final Optional<OwnRuntime> ownRuntime;

  private record OwnRuntime(String id, String java) {}

  private AgentVersion(
      String name, JarContents agent, SortedMap<String, byte[]> others, Optional<OwnRuntime> ownRuntime) {
    this.name = name;
    this.agent = agent;
    this.others = others;
    this.ownRuntime = ownRuntime;
  }

  /// Creates a version from a class path of jars and folders of classes, whose version is 0.0.0.
  static AgentVersion of(String classPath) {
    var others = new TreeMap<String, byte[]>();
    @Nullable JarContents agent = null;
    try {
      for (Path each : expandClassPath(classPath)) {
        JarContents jarContents = JarContents.read(each);
        if (agent == null && jarContents.contains(MAIN_CLASS_FILE)) {
          agent = jarContents.version().isEmpty() ? jarContents.withVersion(DEVELOPMENT_VERSION) : jarContents;
        } else {
          others.put("app/lib%02d.jar".formatted(others.size()), jarContents.toBytes());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (agent == null) {
      throw new StackException("there is no agent on the class path " + classPath);
    }
    others.put("jvm.options", JVM_OPTIONS.getBytes(UTF_8));
    others.put("runtime", (RUNTIME + "\n").getBytes(UTF_8));
    return new AgentVersion(agent.version(), agent, others, Optional.empty());
  }

  /// Creates the version of the current build.
  public static AgentVersion ofCurrentBuild() {
    return of(ProgramLocator.classPathOf("agent"));
  }

  private static List<Path> expandClassPath(String classPath) throws IOException {
    List<Path> found = new ArrayList<>();
    for (String each : classPath.split(File.pathSeparator, -1)) {
      if (each.endsWith(File.separator + "*")) {
        try (Stream<Path> all = Files.list(Path.of(each).resolveSibling(""))) {
          all.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(found::add);
        }
      } else {
        found.add(Path.of(each));
      }
    }
    return found;
  }

  /// Returns its name, also the name of its folder.
  public String name() {
    return name;
  }

  /// Returns the same program with another version.
  public AgentVersion withName(String other) {
    return new AgentVersion(other, agent.withVersion(other), others, ownRuntime);
  }

  /// Returns the same program without a version of its own.
  public AgentVersion withoutVersion() {
    return new AgentVersion(name, agent.withVersion(""), others, ownRuntime);
  }

  /// Returns a version with an additional or replaced file, such as `jvm.options`.
  public AgentVersion withFile(String path, String text) {
    var all = new TreeMap<>(others);
    all.put(path, text.getBytes(UTF_8));
    return new AgentVersion(name, agent, all, ownRuntime);
  }

  /// Returns a version with a runtime of its own, whose `java` is this shell script. `$REAL` is the Java of other
  /// versions.
  ///
  /// @param id lower-case letters and digits
  public AgentVersion withRuntime(String id, String java) {
    String script = "#!/bin/sh\nREAL=$UPLIFT_AGENT_ROOT/runtimes/" + RUNTIME + "/bin/java\n" + java + "\n";
    return new AgentVersion(
        name, agent, withFile("runtime", id + "\n").others, Optional.of(new OwnRuntime(id, script)));
  }

  /// Returns a version that passes its self-test but never reaches NATS, because it uses a proxy that does not exist.
  public AgentVersion withoutConnectivity() {
    return withRuntime(
        "lost",
        """
        case "$*" in *--self-test*) exec "$REAL" "$@" ;; esac
        exec "$REAL" -DsocksProxyHost=127.0.0.1 -DsocksProxyPort=1 -DsocksNonProxyHosts= "$@"\
        """);
  }

  /// Returns the archive of its release.
  public byte[] archive() {
    FileTree fileTree = tree();
    ownRuntime.ifPresent(it -> fileTree.addProgram("runtimes/" + it.id + "/bin/java", it.java));
    return fileTree.toTarGz();
  }

  /// Returns the files of its folder without the marker of completeness.
  FileTree tree() {
    FileTree fileTree = new FileTree();
    files().forEach(fileTree::addFile);
    return fileTree.addFile("manifest", manifest());
  }

  /// Returns the marker of completeness, as after an installation of its release.
  String completeMarker() {
    return "sha256=" + DigestUtils.sha256Hex(archive()) + "\n";
  }

  /// Returns the SHA-256 of each file in the format of `sha256sum`.
  String manifest() {
    var manifest = new StringBuilder();
    files()
        .forEach((path, bytes) -> manifest.append(DigestUtils.sha256Hex(bytes)).append("  ").append(path).append('\n'));
    return manifest.toString();
  }

  private SortedMap<String, byte[]> files() {
    var files = new TreeMap<>(others);
    files.put("app/agent.jar", agent.toBytes());
    return files;
  }
}
