package dev.uplift.temporaldev;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.Agent;
import dev.uplift.protocol.nats.Credentials;
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
final class HostTest {
  private static final String VERSION = "0.0.0";
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path folder;
  private Stack stack;
  private Client uplift;

  @BeforeEach
  void start() throws Exception {
    stack = open();
    stack.nats().start();
    uplift = Client.uplift(stack.nats());
  }

  private Stack open() {
    return Stack.in(folder)
        .agentClassPath(
            String.join(
                File.pathSeparator,
                place(Agent.class),
                place(Nats.class),
                place(Credentials.class)))
        .open();
  }

  private static String place(Class<?> of) {
    return Path.of(URI.create(of.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }

  @AfterEach
  void stop() {
    uplift.close();
    stack.close();
  }

  @Test
  void anAgentThatHasStartedBeatsWithTheBootIdOfItsHost() throws Exception {
    Subscription beats = uplift.connection().subscribe("device-heartbeat.acme.left.*");

    Host host = stack.host("acme", "left").has("shopd", "bundle", Map.of("port", "1"));
    host.start();

    assertThat(beat(beats)).isEqualTo(host.bootId());
    assertThat(PrivateFile.read(host.config()))
        .contains("\"kind\": \"bundle\"", "\"folder\": \"" + host.packageFolder("shopd") + "\"");
    assertThat(host.packageFolder("shopd")).isEmptyDirectory();
  }

  @Test
  void aKilledAgentIsAnotherProcessOnTheSameBootAndItsServicesRunOn() {
    Host host = stack.host("acme", "left");
    host.start();
    String bootId = host.bootId();
    await().until(() -> host.tag().processes().size() == 3);

    host.kill();
    assertThat(host.tag().processes()).hasSize(1);
    host.start();

    assertThat(host.bootId()).isEqualTo(bootId);
  }

  @Test
  void anAgentThatEndsIsStartedAgainByTheLauncherOfItsHost() {
    Host host = stack.host("acme", "left");
    host.start();
    ProcessHandle agent = requireNonNull(host.agents().get(VERSION));

    host.killAgent(VERSION);

    await()
        .atMost(SOON)
        .until(
            () -> host.agents().containsKey(VERSION) && !agent.equals(host.agents().get(VERSION)));
    assertThat(PrivateFile.read(host.log())).contains("launcher: 0.0.0 ended with 137");
    assertThat(host.isRunning()).isTrue();
  }

  @Test
  void aLauncherThatIsKilledLeavesTheAgentAndTheNextOneEndsIt() {
    Host host = stack.host("acme", "left");
    host.start();
    ProcessHandle agent = requireNonNull(host.agents().get(VERSION));

    host.killLauncher();
    assertThat(host.isRunning()).isFalse();
    assertThat(agent.isAlive()).isTrue();
    host.start();

    await().atMost(SOON).until(() -> !agent.isAlive() && host.agents().size() == 1);
  }

  @Test
  void aHostThatIsStoppedHasNoAgentAndRunsAnotherVersionWhenItIsToldTo() {
    Host host = stack.host("acme", "left").upgradesItsAgent(Map.of("standby_s", "9"));
    host.start();
    host.stop();
    assertThat(host.agents()).isEmpty();

    host.installs(stack.agentVersion().named("1.0.0")).start();

    // Installed beside it: what runs is what ran.
    assertThat(host.agents()).containsOnlyKeys(VERSION);
    assertThat(host.agentFolder().resolve("versions/1.0.0/COMPLETE")).exists();
    assertThat(PrivateFile.read(host.config())).contains("\"standby_s\": \"9\"");
  }

  @Test
  void anAgentThatRefusesItsConfigurationIsNotWaitedFor() {
    Host host = stack.host("acme", "left").with("nats", "");

    assertThatThrownBy(host::start)
        .isInstanceOf(StackFailure.class)
        .hasMessageContaining("agent acme/left refuses its configuration")
        .hasMessageContaining("no server");
  }

  @Test
  void theRebootCommandEndsAllOnTheHostAndItComesBackWithAnotherBootId() {
    Host host = stack.host("acme", "left").atBoot("/bin/sh", "-c", "date >>booted");
    Host neighbour = stack.host("acme", "right");
    host.start();
    neighbour.start();
    await().until(() -> host.tag().processes().size() == 3);
    List<ProcessHandle> before = host.tag().processes();
    String bootId = host.bootId();
    String neighboursBootId = neighbour.bootId();

    tellToReboot();
    host.awaitReboot(bootId, SOON);

    assertThat(host.tag().processes()).doesNotContainAnyElementsOf(before);
    assertThat(host.folder().resolve("booted")).isRegularFile();
    assertThat(PrivateFile.read(host.folder().resolve("booted")).lines()).hasSize(2);
    assertThat(neighbour.isRunning()).isTrue();
    assertThat(neighbour.bootId()).isEqualTo(neighboursBootId);
  }

  @Test
  void aHostStaysAwayForAsLongAsItIsTold() {
    Host host = stack.host("acme", "left").staysAway(Duration.ofMillis(1500));
    host.start();
    String bootId = host.bootId();

    tellToReboot();
    await().atMost(SOON).until(() -> !host.isRunning());
    long left = System.nanoTime();
    host.awaitReboot(bootId, SOON);

    assertThat(Duration.ofNanos(System.nanoTime() - left)).isGreaterThan(Duration.ofMillis(1200));
  }

  @Test
  void aHostThatNeverReturnsIsThereAgainOnlyWhenItIsSwitchedOn() {
    Host host = stack.host("acme", "left").neverReturns();
    host.start();
    String bootId = host.bootId();

    tellToReboot();
    await().atMost(SOON).until(() -> !host.isRunning());
    await().during(Duration.ofSeconds(1)).until(() -> !host.isRunning());
    host.powerOn();

    assertThat(host.bootId()).isNotEqualTo(bootId);
  }

  @Test
  void aPowerCutEndsEverythingOnTheHost() {
    Host host = stack.host("acme", "left");
    host.start();
    String bootId = host.bootId();

    host.powerOff();
    assertThat(host.tag().processes()).isEmpty();
    await().during(Duration.ofSeconds(1)).until(() -> !host.isRunning());
    host.powerOn();

    assertThat(host.isRunning()).isTrue();
    assertThat(host.bootId()).isNotEqualTo(bootId);
  }

  @Test
  void aRebootThatWasBrokenOffByTheDeathOfAllIsMadeGood() throws Exception {
    Host host = stack.host("acme", "left").neverReturns();
    host.start();
    String bootId = host.bootId();
    tellToReboot();
    await().atMost(SOON).until(() -> !host.isRunning());
    // As if the script had got no further than its mark.
    Files.writeString(host.bootIdFile(), bootId);
    uplift.close();
    stack.close();

    start();
    Host again = stack.host("acme", "left");
    again.start();

    assertThat(again.bootId()).isNotEqualTo(bootId);
  }

  private void tellToReboot() {
    uplift.connection().publish("device-cmd.acme.left", "reboot".getBytes(UTF_8));
  }

  private static String beat(Subscription beats) throws InterruptedException {
    Message beat = beats.nextMessage(SOON);
    return new String(beat.getData(), UTF_8).strip();
  }
}
