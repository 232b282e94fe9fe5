package dev.uplift.agent.driver.worker;

import dev.uplift.agent.TestCommandBuilder;
import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.TestJobs;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A host with a worker on it, in a folder. The version that runs is a line in the file `running`, and each message
/// that the worker gets is a line in `messages`.
final class WorkerHost {
  private static final String ARTIFACT_SHA256 = "ab".repeat(32);

  private final Path folder;
  private String bootId = "boot-1";

  /// One that is there.
  WorkerHost(Path folder) {
    this.folder = folder;
  }

  static WorkerHost create(Path folder) throws IOException {
    var host = new WorkerHost(folder);
    Files.createDirectories(folder.resolve("worker"));
    host.running("1.0");
    Files.writeString(folder.resolve("messages"), "");
    host.on("prepare", "reply prepare done");
    host.on("upgrade", "echo 2.0 >../running; reply upgrade done");
    host.on("reboot", "[ $UPLIFT_REBOOTED = false ] || reply reboot done");
    host.worker(
        """
        reply() { printf '{"action":"%s","result":"%s"}\\n' "$1" "$2"; }
        printf '{"os":"%s","kernel":"6.1"}\\n' "$(cat ../running)"
        IFS= read -r message || exit 0
        printf '%s\\n' "$message" >>../messages
        . ../on-$UPLIFT_STEP
        """);
    return host;
  }

  void worker(String body) throws IOException {
    Path file = folder.resolve("worker/worker");
    Files.writeString(file, "#!/bin/sh\n" + body);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /// The part of the worker that handles this message.
  void on(String action, String body) throws IOException {
    Files.writeString(folder.resolve("on-" + action), body + "\n");
  }

  void running(String version) throws IOException {
    Files.writeString(folder.resolve("running"), version + "\n");
  }

  void boot() {
    bootId = "boot-2";
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  List<String> messages() throws IOException {
    return Files.readAllLines(folder.resolve("messages"));
  }

  WorkerDriver driver() {
    return driver(Map.of());
  }

  WorkerDriver driver(Map<String, String> settings) {
    Host host = new Host("acme", "h02", FileOps.onDisk(), () -> bootId);
    return new WorkerDriver(
        new PackageContext(host, "os", folder.resolve("worker"), folder.resolve("state"), PackageOptions.of(settings)));
  }

  static ReleaseManifest release(String version) {
    return TestJobs.release("worker", version, Optional.empty(), Map.of("line-speed", "slow"));
  }

  static ReleaseManifest releaseWithArtifact() {
    return TestJobs.release("worker", "2.0", Optional.of(new ReleaseManifest.Artifact(5, ARTIFACT_SHA256)), Map.of());
  }

  static FakeJob job(CommandAction commandAction) {
    return job("order-" + commandAction, commandAction);
  }

  static FakeJob job(String id, CommandAction commandAction) {
    String version = commandAction == CommandAction.ROLLBACK ? "1.0" : "2.0";
    return job(id, commandAction, version, release("2.0"));
  }

  static FakeJob job(String id, CommandAction commandAction, String version, ReleaseManifest release) {
    return TestJobs.job(
        id,
        commandAction,
        version,
        release,
        _ -> {
          throw new AssertionError("nothing is to be fetched");
        });
  }

  static Command reboot(String id) {
    return new TestCommandBuilder(CommandAction.REBOOT)
        .target("os", "2.0")
        .expectBoot("boot-1")
        .build(id, "acme", "h02", 1);
  }
}
