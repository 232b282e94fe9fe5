package dev.uplift.agent.driver.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.files.FileOps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Programs of an agent that is a unit of systemd. A script in the search path stands for `systemd-run`.
@Timeout(300)
final class ProgramScopeTest {
  private final Path folder;

  ProgramScopeTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    Files.createDirectory(folder.resolve("bin"));
  }

  @AfterEach
  void awaitEnd() {
    RunningPrograms.awaitEnded(folder);
  }

  @Test
  void aProgramRunsInAScopeOfItsOwn() throws Exception {
    systemdRun(
        "echo \"$@\" >>" + folder.resolve("scopes") + "; while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"");

    assertThat(run("one", "exit 7")).isEqualTo(new ExitStatus.Exited(7));

    assertThat(starts()).containsExactly("started");
    assertThat(Files.readString(folder.resolve("scopes")))
        .startsWith("--scope --quiet --collect --slice=uplift-packages.slice -- setsid sh -c");
  }

  @Test
  void aProgramRunsOnceWhereSystemdRefuses() throws Exception {
    systemdRun("exit 1");
    assertThat(run("refused", "exit 7")).isEqualTo(new ExitStatus.Exited(7));
    systemdRun("while [ \"$1\" != -- ]; do shift; done; shift; \"$@\"; exit 1");
    assertThat(run("late", "exit 0")).isEqualTo(new ExitStatus.Exited(0));

    assertThat(starts()).containsExactly("started", "started");
  }

  @Test
  void aShortProgramNeedsNone() throws Exception {
    systemdRun("exit 1");

    var result =
        runner().runShort("inspect", Program.shell("echo 1.0", folder, environment()), Duration.ofMinutes(2), _ -> {});

    assertThat(result.output().strip()).isEqualTo("1.0");
  }

  private ExitStatus run(String name, String line) throws IOException, StepFailed, InterruptedException {
    Program program = Program.shell("echo started >>starts; " + line, folder, environment());
    return runner()
        .startOrAttach(name, program)
        .await(ProgramRun.Limits.within(Duration.ofMinutes(2)), _ -> {}, _ -> {});
  }

  private ProgramRunner runner() {
    Host host = new Host("acme", "left", FileOps.onDisk(), () -> "boot-1");
    return new ProgramRunner(host, folder.resolve("programs"), true);
  }

  private List<String> starts() throws IOException {
    return Files.readAllLines(folder.resolve("starts"));
  }

  private SortedMap<String, String> environment() {
    var environment = new TreeMap<String, String>();
    environment.put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    return environment;
  }

  private void systemdRun(String body) throws IOException {
    Path script = folder.resolve("bin/systemd-run");
    Files.writeString(script, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
