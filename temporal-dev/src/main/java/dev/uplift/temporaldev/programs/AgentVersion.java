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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A version of the agent, as a device has it and as its release brings it: jars, the flags of its
/// JVM, the name of its runtime. Unlike one that `make` makes it has no cache, and runs on the Java
/// that we run on: it is there at once.
///
/// Nothing here changes a version; what is asked for is another one.
public final class AgentVersion {
  /// The runtime that every host of a stack has.
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
      String name,
      JarContents agent,
      SortedMap<String, byte[]> others,
      Optional<OwnRuntime> ownRuntime) {
    this.name = name;
    this.agent = agent;
    this.others = others;
    this.ownRuntime = ownRuntime;
  }

  /// What this class path holds: jars, and folders of classes, which are of version 0.0.0.
  static AgentVersion of(String classPath) {
    var others = new TreeMap<String, byte[]>();
    @Nullable JarContents agent = null;
    try {
      for (Path each : expandClassPath(classPath)) {
        JarContents jarContents = JarContents.read(each);
        if (agent == null && jarContents.contains(MAIN_CLASS_FILE)) {
          agent =
              jarContents.version().isEmpty()
                  ? jarContents.withVersion(DEVELOPMENT_VERSION)
                  : jarContents;
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

  /// The one that is built here, as [Stack#agentVersion].
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

  /// As its folder is called, and as it says itself.
  public String name() {
    return name;
  }

  /// The same program, which says another version of itself.
  public AgentVersion withName(String other) {
    return new AgentVersion(other, agent.withVersion(other), others, ownRuntime);
  }

  /// The same program, which does not know its own version.
  public AgentVersion withoutVersion() {
    return new AgentVersion(name, agent.withVersion(""), others, ownRuntime);
  }

  /// With a file more, or another text in it, such as `jvm.options`.
  public AgentVersion withFile(String path, String text) {
    var all = new TreeMap<>(others);
    all.put(path, text.getBytes(UTF_8));
    return new AgentVersion(name, agent, all, ownRuntime);
  }

  /// Brings a runtime of its own, whose `java` is this shell script. In it, `$REAL` is the Java
  /// that other versions run on.
  ///
  /// @param id lower-case letters and digits
  public AgentVersion withRuntime(String id, String java) {
    String script =
        "#!/bin/sh\nREAL=$UPLIFT_AGENT_ROOT/runtimes/" + RUNTIME + "/bin/java\n" + java + "\n";
    return new AgentVersion(
        name,
        agent,
        withFile("runtime", id + "\n").others,
        Optional.of(new OwnRuntime(id, script)));
  }

  /// Passes its self-test, and never reaches NATS when it runs: it looks for it behind a proxy that
  /// is not there.
  public AgentVersion withoutConnectivity() {
    return withRuntime(
        "lost",
        """
        case "$*" in *--self-test*) exec "$REAL" "$@" ;; esac
        exec "$REAL" -DsocksProxyHost=127.0.0.1 -DsocksProxyPort=1 -DsocksNonProxyHosts= "$@"\
        """);
  }

  /// What its release brings.
  public byte[] archive() {
    FileTree fileTree = tree();
    ownRuntime.ifPresent(it -> fileTree.addProgram("runtimes/" + it.id + "/bin/java", it.java));
    return fileTree.toTarGz();
  }

  /// All that is in its folder but the mark that it is whole.
  FileTree tree() {
    FileTree fileTree = new FileTree();
    files().forEach(fileTree::addFile);
    return fileTree.addFile("manifest", manifest());
  }

  /// What stands in the mark that it is whole, as if its release had brought it.
  String completeMarker() {
    return "sha256=" + sha256(archive()) + "\n";
  }

  /// SHA-256 of each file, as `sha256sum` reads it.
  String manifest() {
    var manifest = new StringBuilder();
    files()
        .forEach(
            (path, bytes) -> manifest.append(sha256(bytes)).append("  ").append(path).append('\n'));
    return manifest.toString();
  }

  private SortedMap<String, byte[]> files() {
    var files = new TreeMap<>(others);
    files.put("app/agent.jar", agent.toBytes());
    return files;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
