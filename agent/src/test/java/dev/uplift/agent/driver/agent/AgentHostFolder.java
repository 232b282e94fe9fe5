package dev.uplift.agent.driver.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.driver.AgentState;
import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.TestJobs;
import dev.uplift.agent.driver.bundle.TarBuilder;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// The folder of a host on which 1.0 works, and its agent: this process.
final class AgentHostFolder {
  static final byte[] ARCHIVE =
      new TarBuilder()
          .file("app/agent.jar", "jar of 2.0")
          .file("jvm.options", "")
          .file("runtime", "r1\n")
          .file("manifest", "")
          .tarGz();
  static final ReleaseManifest RELEASE = release(ARCHIVE, Map.of());

  private final Path root;
  private final Map<String, String> settings = new HashMap<>(Map.of("mode", "parallel"));
  private final List<State> states = Collections.synchronizedList(new ArrayList<>());
  final AgentState agentState = new AgentState();
  volatile BooleanSupplier connected = () -> true;
  String version = "1.0";

  AgentHostFolder(Path root) throws IOException {
    this.root = root;
    agentState.onChange(() -> states.add(agentState.state()));
    program("runtimes/r1/bin/java", "exit 0");
    Path home = Files.createDirectories(root.resolve("versions/1.0"));
    Files.writeString(home.resolve("runtime"), "r1\n");
    Files.writeString(home.resolve("COMPLETE"), "");
    Files.createSymbolicLink(root.resolve("current"), Path.of("versions/1.0"));
    Files.createDirectory(root.resolve("run"));
    selfTestRuns("echo uplift-agent $2; echo ok");
    Files.copy(Path.of("src/main/dist/launcher"), root.resolve("boot"));
  }

  /// @param selfTest what the launcher does when it is asked for a self-test
  void selfTestRuns(String selfTest) throws IOException {
    program(
        "launcher", "test $1 = self-test || { echo \"$*\" >>" + root.resolve("orders") + "; exit 0; }\n" + selfTest);
  }

  /// The launcher fails at this word.
  void launcherFailsAt(String word) throws IOException {
    program("launcher", "test $1 != " + word + " || { echo no; exit 1; }");
  }

  void set(String name, String text) {
    settings.put(name, text);
  }

  private void program(String name, String body) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  static ReleaseManifest release(byte[] archive, Map<String, String> arguments) {
    try {
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(archive);
      var artifact = new ReleaseManifest.Artifact(archive.length, HexFormat.of().formatHex(sum));
      return TestJobs.release("agent", "2.0", Optional.of(artifact), arguments);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  AgentDriver driver(FileOps files) throws StepFailed {
    var host = new Host("acme", "left", files, () -> "boot-1");
    var packageContext =
        new PackageContext(host, "uplift-agent", root, root.resolve("state"), PackageOptions.of(settings));
    return new AgentDriver(
        packageContext,
        new RunningAgent(version, "x86_64", agentState, () -> connected.getAsBoolean()),
        root.resolve("run"));
  }

  AgentDriver driver() throws StepFailed {
    return driver(FileOps.onDisk());
  }

  FakeJob job(CommandAction commandAction, String to) {
    return job(commandAction, to, RELEASE, ARCHIVE);
  }

  FakeJob job(CommandAction commandAction, String to, ReleaseManifest release, byte[] archive) {
    return TestJobs.job(
        commandAction,
        to,
        release,
        _ -> {
          try {
            return Files.write(root.resolve("archive"), archive);
          } catch (IOException e) {
            throw StepFailed.needsPerson("disk-failed", e.toString());
          }
        });
  }

  /// Writes the file of another agent that has found the server.
  void writeStandbySign(String other, int number) throws IOException {
    Files.write(root.resolve("run/standby"), "%s\nb %d\n".formatted(other, number).getBytes(UTF_8));
  }

  List<State> states() {
    return List.copyOf(states);
  }

  Path file(String name) {
    return root.resolve(name);
  }

  String text(String name) throws IOException {
    return Files.exists(file(name)) ? Files.readString(file(name)) : "";
  }

  String current() throws IOException {
    return Files.readSymbolicLink(file("current")).getFileName().toString();
  }

  /// The version that the launcher would run now.
  String boot() throws IOException, InterruptedException {
    Path said = root.resolve("said");
    Process process =
        new ProcessBuilder("sh", root.resolve("boot").toString(), "recover")
            .redirectOutput(said.toFile())
            .redirectError(root.resolve("complained").toFile())
            .start();
    if (process.waitFor() != 0) {
      throw new IOException(Files.readString(root.resolve("complained")));
    }
    return Files.readString(said).strip();
  }
}
