package dev.uplift.agent.driver.worker;

import static dev.uplift.agent.driver.TestJobs.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.driver.process.RunningPrograms;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.WireErrorClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class WorkerRebootTest {
  private static final CommandResult DONE = new CommandResult.Done();

  private final Path folder;
  private final WorkerHost host;

  WorkerRebootTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    host = WorkerHost.create(folder);
  }

  @AfterEach
  void awaitEnd() {
    RunningPrograms.awaitEnded(folder);
  }

  /// AV-39, AV-40: no reply is expected before the boot. AV-41, AV-44, AV-45: the same message is answered after it.
  @Test
  void theWorkerStartsTheRebootAndRepliesAfterTheBoot() throws IOException {
    host.on("reboot", "echo $UPLIFT_REBOOTED >>../reboots; [ $UPLIFT_REBOOTED = false ] || reply reboot done");
    var reboot = host.driver().ownReboot().orElseThrow();

    assertThat(reboot.start(WorkerHost.reboot("r-1"), _ -> {})).isEqualTo(DONE);
    host.boot();
    assertThat(reboot.confirm(WorkerHost.reboot("r-1"), _ -> {})).isEqualTo(DONE);

    String message = "{\"action\":\"reboot\",\"host\":\"h02\"}";
    assertThat(host.messages()).containsExactly(message, message);
    assertThat(Files.readAllLines(host.file("reboots"))).containsExactly("false", "true");
  }

  /// AV-43.
  @Test
  void aRebootThatCannotBeStartedIsAnsweredWithTheText() throws IOException {
    host.on("reboot", "reply reboot 'a technician is logged in'");
    assertThat(host.driver().ownReboot().orElseThrow().start(WorkerHost.reboot("r-1"), _ -> {}))
        .isEqualTo(new CommandResult.Failed("reboot-failed", WireErrorClass.NEEDS_PERSON, "a technician is logged in"));

    host.on("reboot", "exit 3");
    assertThat(failure(host.driver().ownReboot().orElseThrow().start(WorkerHost.reboot("r-2"), _ -> {})))
        .isEqualTo("reboot-failed NEEDS_PERSON");
  }

  /// AV-42: the boot id tells whether the host has rebooted, not the worker.
  @Test
  void aReplyBeforeTheBootIsNotBelieved() throws IOException {
    host.on("reboot", "reply reboot done");
    var log = new ArrayList<String>();

    assertThat(host.driver().ownReboot().orElseThrow().start(WorkerHost.reboot("r-1"), log::add)).isEqualTo(DONE);

    assertThat(log).contains("the worker says that the host has rebooted, which it has not yet");
  }

  /// AV-46.
  @Test
  void anyOtherResultAfterTheBootIsTheTextOfItsError() throws IOException {
    host.on("reboot", "reply reboot 'the old kernel runs'");

    assertThat(host.driver().ownReboot().orElseThrow().confirm(WorkerHost.reboot("r-1"), _ -> {}))
        .isEqualTo(new CommandResult.Failed("worker-failed", WireErrorClass.FINAL, "the old kernel runs"));
  }
}
