package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.function.Uncheck;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `uplift demo` as started after a fresh clone: a process, observed from outside.
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class DemoTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(6);

  @TempDir private Path folder;
  private @Nullable Process demo;

  @AfterEach
  void end() {
    if (demo != null) {
      demo.destroyForcibly();
    }
  }

  @Test
  void everyPartEndsAsExpectedAndNothingKeepsRunning() throws Exception {
    // The window opens at the next full minute.
    Process process = start("--exit", "--window-after", "0");

    assertThat(process.waitFor(TIMEOUT)).as(this::lastSaid).isTrue();

    assertThat(process.exitValue()).as(this::lastSaid).isZero();
    assertThat(said())
        .containsPattern("shop-hamburg +shopd 1.5.0 +upgraded .* 1.4.0 > 1.5.0 on 3 hosts")
        .containsPattern("kiosk-lisbon +os 7.2 +upgraded .* 1.4.0 > 1.5.0")
        .containsPattern("shop-oslo +shopd 1.5.0 +no-action .* 1.5.0 > 1.5.0")
        .containsPattern("shop-vienna +shopd 1.6.0 +rolled-back .* 1.4.0 > 1.4.0 +health")
        .containsPattern("oslo +agents: 0.1.0 cutover-ready, 0.2.0 standby")
        .containsPattern("vienna +agents: 0.1.0 cutover-ready, 0.3.0 no heartbeat")
        .containsPattern("shop-hamburg +uplift-agent 0.2.0 +upgraded .* 0.1.0 > 0.2.0 on 3 hosts")
        .containsPattern("shop-oslo +uplift-agent 0.2.0 +upgraded .* 0.1.0 > 0.2.0")
        .containsPattern("shop-vienna +uplift-agent 0.3.0 +rolled-back .* 0.1.0 > 0.1.0 +rolled-back")
        .contains("one agent works on every host at every moment")
        .containsPattern("pause by uplift: 2 devices failed .2 rolled-back.; it stops at 2")
        .containsPattern("malmo +2 .* 2 +upgraded +2.5.0 +licence-missing")
        .containsPattern("auckland +3 .* 1 +upgraded +2.5.0 +-")
        .contains("twelve stores run the release, each started in its window")
        .containsPattern("terminals: 1 blocked, .*1 in-progress")
        .contains("uplift why toledo")
        .containsPattern("toledo +1.0 +blocked +.*certified by the bank")
        .containsPattern("vigo +1.1 +satisfied")
        .contains("terminals-as-before: 1 conflict")
        .contains("the stores follow the channel, one is pinned, and one policy decides")
        .containsPattern("Temporal Web UI +http://127.0.0.1:")
        .doesNotContain("\u001b[");
    assertThat(running()).isEmpty();
  }

  @Test
  void ctrlCEndsEverything() throws Exception {
    Process process = start();
    await().atMost(TIMEOUT).until(() -> said().contains("prepare: done"));
    assertThat(running()).isNotEmpty();

    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();

    assertThat(process.waitFor(Duration.ofSeconds(30))).as(this::lastSaid).isTrue();
    assertThat(running()).isEmpty();
  }

  @Test
  void aKillLeavesNothingRunning() throws Exception {
    Process process = start();
    await().atMost(TIMEOUT).until(() -> said().contains("prepare: done"));

    process.destroyForcibly();

    await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(running()).isEmpty());
  }

  private Process start(String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("demo", "--folder", folder.resolve("demo").toString()));
    words.addAll(List.of(options));
    Process started = UpliftCommand.start(folder.resolve("said"), words);
    demo = started;
    return started;
  }

  /// Returns the end of what it said, where the reason of a failure is.
  private String lastSaid() {
    List<String> lines = Uncheck.get(this::said).lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
  }

  private String said() throws IOException {
    Path file = folder.resolve("said");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  /// Returns every process with a path in the demo's folder, including the services on its hosts.
  private List<String> running() throws IOException {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes
          .filter(process -> process.getFileName().toString().matches("[0-9]+"))
          .map(process -> process.getFileName() + " " + commandLine(process))
          .filter(line -> line.contains(folder.toString()))
          .toList();
    }
  }

  private static String commandLine(Path process) {
    try {
      return Files.readString(process.resolve("cmdline"), ISO_8859_1).replace('\0', ' ');
    } catch (IOException _) {
      // It has ended meanwhile.
      return "";
    }
  }
}
