package dev.uplift.agent.driver.script;

import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.PreparedRelease;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.TestJobs;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;

/// A host with an operator's programs on it, in a folder. What they install is a line in the file `installed`, and each
/// verb leaves a line in `calls`.
final class ScriptHost {
  private static final String ARTIFACT_SHA256 = "ab".repeat(32);

  private final Path folder;
  private String bootId = "boot-1";

  /// One that is there.
  ScriptHost(Path folder) {
    this.folder = folder;
  }

  static ScriptHost create(Path folder) throws IOException {
    var host = new ScriptHost(folder);
    host.install();
    return host;
  }

  /// One on which the release has just been prepared.
  static ScriptHost prepared(Path folder) throws IOException {
    ScriptHost host = create(folder);
    PreparedRelease.of(release()).write(FileOps.onDisk(), folder.resolve("state"));
    return host;
  }

  private void install() throws IOException {
    Files.createDirectories(scripts());
    Files.writeString(folder.resolve("installed"), "1.0\n");
    Files.writeString(folder.resolve("calls"), "");
    script("inspect", "echo version=$(cat ../installed)");
    script("prepare", "echo prepare >>../calls");
    script("upgrade", "echo upgrade >>../calls; echo \"$1\" >../installed");
    script("commit", "echo commit >>../calls");
    script("rollback", "echo rollback >>../calls; echo \"$1\" >../installed");
  }

  Path scripts() {
    return folder.resolve("scripts");
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  void script(String verb, String body) throws IOException {
    Path script = scripts().resolve(verb);
    Files.writeString(script, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  void deleteScript(String verb) throws IOException {
    Files.delete(scripts().resolve(verb));
  }

  void simulatePowerLoss() {
    bootId = "boot-2";
  }

  List<String> calls() throws IOException {
    return Files.readAllLines(folder.resolve("calls"));
  }

  /// Reads the process id that a program has written to the file `pid`.
  long pid() throws IOException {
    return Long.parseLong(Files.readString(file("pid")).strip());
  }

  void awaitPid() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.exists(file("pid")) && Files.size(file("pid")) > 0);
  }

  ScriptDriver driver(String... settings) {
    Host host = new Host("acme", "plc-1", FileOps.onDisk(), () -> bootId);
    PackageOptions packageOptions =
        settings.length == 0 ? PackageOptions.NONE : PackageOptions.of(Map.of(settings[0], settings[1]));
    return new ScriptDriver(new PackageContext(host, "plc", scripts(), folder.resolve("state"), packageOptions));
  }

  static ReleaseManifest release() {
    return TestJobs.release("script", "2.0", Optional.empty(), Map.of("line-speed", "slow"));
  }

  /// With a file that `prepare` gets.
  static ReleaseManifest releaseWithArtifact() {
    var artifact = new ReleaseManifest.Artifact(5, ARTIFACT_SHA256);
    return TestJobs.release("script", "2.0", Optional.of(artifact), Map.of());
  }

  static FakeJob job(CommandAction commandAction) {
    return job("order-" + commandAction, commandAction);
  }

  static FakeJob job(String id, CommandAction commandAction) {
    String version = commandAction == CommandAction.ROLLBACK ? "1.0" : "2.0";
    return TestJobs.job(id, commandAction, version, release(), ScriptHost::nothing);
  }

  /// One whose outcome the server awaits for so long.
  static FakeJob job(String id, CommandAction commandAction, Duration timeout) {
    FakeJob usual = job(id, commandAction);
    Command command = usual.command();
    return new FakeJob(
        new Command(
            command.id(),
            command.tenant(),
            command.host(),
            command.epoch(),
            command.issuedAt(),
            command.notAfter(),
            command.packageName(),
            command.version(),
            command.instance(),
            command.expect(),
            timeout,
            command.order()),
        release(),
        ScriptHost::nothing);
  }

  private static Path nothing(FakeJob job) throws StepFailed {
    throw new AssertionError("nothing is to be fetched");
  }
}
