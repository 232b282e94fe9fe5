package dev.uplift.temporaldev.stack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.Agent;
import dev.uplift.cli.file.PrivateFile;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.process.StackException;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Subscription;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A folder that plays a host.
final class StackHostTest {
  private static final String VERSION = "0.0.0";
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path folder;
  private Stack stack;
  private NatsTestClient server;

  @BeforeEach
  void start() throws Exception {
    stack = open();
    stack.nats().start();
    server = NatsTestClient.connectAsServer(stack.nats());
  }

  private Stack open() {
    return Stack.in(folder)
        .agentClassPath(
            String.join(
                File.pathSeparator, classPathOf(Agent.class), classPathOf(Nats.class), classPathOf(Credentials.class)))
        .open();
  }

  private static String classPathOf(Class<?> of) {
    return Path.of(URI.create(of.getProtectionDomain().getCodeSource().getLocation().toString())).toString();
  }

  @AfterEach
  void stop() {
    server.close();
    stack.close();
  }

  @Test
  void anAgentThatHasStartedBeatsWithTheBootIdOfItsHost() throws Exception {
    Subscription beats = server.connection().subscribe("device-heartbeat.acme.left.*");

    StackHost stackHost = stack.host("acme", "left").withPackage("shopd", "bundle", Map.of("port", "1"));
    stackHost.start();

    assertThat(nextHeartbeat(beats)).isEqualTo(stackHost.bootId());
    assertThat(PrivateFile.read(stackHost.config()))
        .contains("\"kind\": \"bundle\"", "\"folder\": \"" + stackHost.packageFolder("shopd") + "\"");
    assertThat(stackHost.packageFolder("shopd")).isEmptyDirectory();
  }

  @Test
  void aKilledAgentIsAnotherProcessOnTheSameBootAndItsServicesRunOn() {
    StackHost stackHost = stack.host("acme", "left");
    stackHost.start();
    String bootId = stackHost.bootId();
    await().until(() -> stackHost.tag().processes().size() == 3);

    stackHost.kill();
    assertThat(stackHost.tag().processes()).hasSize(1);
    stackHost.start();

    assertThat(stackHost.bootId()).isEqualTo(bootId);
  }

  @Test
  void anAgentThatEndsIsStartedAgainByTheLauncherOfItsHost() {
    StackHost stackHost = stack.host("acme", "left");
    stackHost.start();
    ProcessHandle agent = requireNonNull(stackHost.agents().get(VERSION));

    stackHost.killAgent(VERSION);

    await()
        .atMost(SOON)
        .until(() -> stackHost.agents().containsKey(VERSION) && !agent.equals(stackHost.agents().get(VERSION)));
    assertThat(PrivateFile.read(stackHost.logFile())).contains("launcher: 0.0.0 ended with 137");
    assertThat(stackHost.isRunning()).isTrue();
  }

  @Test
  void aLauncherThatIsKilledLeavesTheAgentAndTheNextOneEndsIt() {
    StackHost stackHost = stack.host("acme", "left");
    stackHost.start();
    ProcessHandle agent = requireNonNull(stackHost.agents().get(VERSION));

    stackHost.killLauncher();
    assertThat(stackHost.isRunning()).isFalse();
    assertThat(agent.isAlive()).isTrue();
    stackHost.start();

    await().atMost(SOON).until(() -> !agent.isAlive() && stackHost.agents().size() == 1);
  }

  @Test
  void aStoppedHostHasNoAgentAndStartsAnotherVersion() {
    StackHost stackHost = stack.host("acme", "left").withUpgradableAgent(Map.of("standby_timeout_seconds", "9"));
    stackHost.start();
    stackHost.stop();
    assertThat(stackHost.agents()).isEmpty();

    stackHost.withAgentVersion(stack.agentVersion().withName("1.0.0")).start();

    // Installed beside it: what runs is what ran.
    assertThat(stackHost.agents()).containsOnlyKeys(VERSION);
    assertThat(stackHost.agentFolder().resolve("versions/1.0.0/COMPLETE")).exists();
    assertThat(PrivateFile.read(stackHost.config())).contains("\"standby_timeout_seconds\": \"9\"");
  }

  @Test
  void anAgentThatRefusesItsConfigurationIsNotWaitedFor() {
    StackHost stackHost = stack.host("acme", "left").setting("nats_urls", "");

    assertThatThrownBy(stackHost::start)
        .isInstanceOf(StackException.class)
        .hasMessageContaining("agent acme/left rejects its configuration")
        .hasMessageContaining("no server");
  }

  @Test
  void theRebootCommandEndsAllOnTheHostAndItComesBackWithAnotherBootId() {
    StackHost stackHost = stack.host("acme", "left").onBoot("/bin/sh", "-c", "date >>booted");
    StackHost neighbour = stack.host("acme", "right");
    stackHost.start();
    neighbour.start();
    await().until(() -> stackHost.tag().processes().size() == 3);
    List<ProcessHandle> before = stackHost.tag().processes();
    String bootId = stackHost.bootId();
    String neighboursBootId = neighbour.bootId();

    requestReboot();
    stackHost.awaitReboot(bootId, SOON);

    assertThat(stackHost.tag().processes()).doesNotContainAnyElementsOf(before);
    assertThat(stackHost.folder().resolve("booted")).isRegularFile();
    assertThat(PrivateFile.read(stackHost.folder().resolve("booted")).lines()).hasSize(2);
    assertThat(neighbour.isRunning()).isTrue();
    assertThat(neighbour.bootId()).isEqualTo(neighboursBootId);
  }

  @Test
  void aRebootTakesTheConfiguredDuration() {
    StackHost stackHost = stack.host("acme", "left").withRebootDuration(Duration.ofMillis(1500));
    stackHost.start();
    String bootId = stackHost.bootId();

    requestReboot();
    await().atMost(SOON).until(() -> !stackHost.isRunning());
    long left = System.nanoTime();
    stackHost.awaitReboot(bootId, SOON);

    assertThat(Duration.ofNanos(System.nanoTime() - left)).isGreaterThan(Duration.ofMillis(1200));
  }

  @Test
  void aHostThatNeverReturnsIsThereAgainOnlyWhenItIsSwitchedOn() {
    StackHost stackHost = stack.host("acme", "left").staysOffAfterReboot();
    stackHost.start();
    String bootId = stackHost.bootId();

    requestReboot();
    await().atMost(SOON).until(() -> !stackHost.isRunning());
    await().during(Duration.ofSeconds(1)).until(() -> !stackHost.isRunning());
    stackHost.powerOn();

    assertThat(stackHost.bootId()).isNotEqualTo(bootId);
  }

  @Test
  void aPowerCutEndsEverythingOnTheHost() {
    StackHost stackHost = stack.host("acme", "left");
    stackHost.start();
    String bootId = stackHost.bootId();

    stackHost.powerOff();
    assertThat(stackHost.tag().processes()).isEmpty();
    await().during(Duration.ofSeconds(1)).until(() -> !stackHost.isRunning());
    stackHost.powerOn();

    assertThat(stackHost.isRunning()).isTrue();
    assertThat(stackHost.bootId()).isNotEqualTo(bootId);
  }

  @Test
  void aRebootThatWasBrokenOffByTheDeathOfAllIsMadeGood() throws Exception {
    StackHost stackHost = stack.host("acme", "left").staysOffAfterReboot();
    stackHost.start();
    String bootId = stackHost.bootId();
    requestReboot();
    await().atMost(SOON).until(() -> !stackHost.isRunning());
    // As if the script had got no further than its mark.
    Files.writeString(stackHost.bootIdFile(), bootId);
    server.close();
    stack.close();

    start();
    StackHost again = stack.host("acme", "left");
    again.start();

    assertThat(again.bootId()).isNotEqualTo(bootId);
  }

  private void requestReboot() {
    server.connection().publish("device-cmd.acme.left", "reboot".getBytes(UTF_8));
  }

  private static String nextHeartbeat(Subscription beats) throws InterruptedException {
    Message beat = beats.nextMessage(SOON);
    return new String(beat.getData(), UTF_8).strip();
  }
}
