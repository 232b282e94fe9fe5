package dev.uplift.agent.driver.simulated;

import static dev.uplift.agent.driver.TestJobs.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.driver.TestJobs;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.PackageOffer;
import dev.uplift.protocol.ReleaseManifest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class SimulatedDriverTest {
  private static final CommandResult DONE = new CommandResult.Done();

  @TempDir private Path folder;

  private final Map<String, String> settings = new HashMap<>(Map.of("version", "1.0"));
  private final Map<String, String> arguments = new HashMap<>();
  private String bootId = "boot-1";

  @Test
  void itGoesThereAndBack() {
    assertThat(driver().inspect()).isEqualTo(new PackageState("1.0", "", false));
    assertThat(ask(CommandAction.PREPARE)).isEqualTo(DONE);
    assertThat(driver().inspect()).isEqualTo(new PackageState("1.0", "2.0", false));
    assertThat(ask(CommandAction.UPGRADE)).isEqualTo(DONE);
    assertThat(ask(CommandAction.UPGRADE)).isEqualTo(DONE);
    assertThat(driver().inspect()).isEqualTo(new PackageState("2.0", "", false));
    assertThat(ask(CommandAction.COMMIT)).isEqualTo(DONE);
    assertThat(ask(CommandAction.ROLLBACK)).isEqualTo(DONE);
    assertThat(driver().inspect()).isEqualTo(new PackageState("1.0", "", false));
  }

  @Test
  void whatIsOfferedIsInstalledOnceAlsoOverTheSameVersion() {
    settings.putAll(Map.of("version", "2.0", "offered", "openssl=3.0.15 bash=5.2", "offered_security", "1"));
    assertThat(driver().inspect().offer())
        .hasValueSatisfying(offer -> {
          assertThat(offer.updates()).isEqualTo(2);
          assertThat(offer.security()).isEqualTo(1);
        });

    assertThat(ask(CommandAction.PREPARE)).isEqualTo(DONE);
    assertThat(ask(CommandAction.UPGRADE)).isEqualTo(DONE);
    assertThat(ask(CommandAction.UPGRADE)).isEqualTo(DONE);

    assertThat(driver().inspect()).isEqualTo(new PackageState("2.0", "", false, Optional.of(PackageOffer.NOTHING)));
    settings.put("offered", "openssl=3.0.16");
    assertThat(driver().inspect().offer().map(PackageOffer::updates)).contains(1);
  }

  @Test
  void whatWasNotPreparedIsNotUpgradedTo() {
    assertThat(failure(ask(CommandAction.UPGRADE))).isEqualTo("not-prepared FINAL");
  }

  @Test
  void rollbackOfAnUntouchedHostDropsWhatWasStaged() {
    ask(CommandAction.PREPARE);

    assertThat(ask(CommandAction.ROLLBACK)).isEqualTo(DONE);
    assertThat(driver().inspect()).isEqualTo(new PackageState("1.0", "", false));
  }

  @Test
  void theVersionChangesWithTheBootWhereARebootIsAskedFor() {
    arguments.put("reboot", "true");
    ask(CommandAction.PREPARE);

    assertThat(ask(CommandAction.UPGRADE)).isEqualTo(new CommandResult.RebootRequired());
    assertThat(ask(CommandAction.UPGRADE)).isEqualTo(new CommandResult.RebootRequired());
    assertThat(driver().inspect().version()).isEqualTo("1.0");
    bootId = "boot-2";
    assertThat(driver().inspect().version()).isEqualTo("2.0");
    assertThat(ask(CommandAction.UPGRADE)).isEqualTo(DONE);

    assertThat(ask(CommandAction.ROLLBACK)).isEqualTo(new CommandResult.RebootRequired());
    bootId = "boot-3";
    assertThat(driver().inspect().version()).isEqualTo("1.0");
  }

  @Test
  void onTrialAnotherBootGoesBackAndCommitEndsThat() {
    arguments.put("trial", "true");
    arguments.put("reboot", "true");
    ask(CommandAction.PREPARE);
    ask(CommandAction.UPGRADE);
    bootId = "boot-2";
    assertThat(driver().inspect()).isEqualTo(new PackageState("2.0", "", true));
    bootId = "boot-3";
    assertThat(driver().inspect()).isEqualTo(new PackageState("1.0", "", false));

    ask(CommandAction.PREPARE);
    ask(CommandAction.UPGRADE);
    bootId = "boot-4";
    assertThat(driver().inspect()).isEqualTo(new PackageState("2.0", "", true));
    ask(CommandAction.COMMIT);
    bootId = "boot-5";
    assertThat(driver().inspect()).isEqualTo(new PackageState("2.0", "", false));
  }

  @Test
  void itFailsAsOftenAsConfigured() {
    arguments.put("fail_prepare", "retryable line-busy");
    arguments.put("fail_prepare_times", "2");

    assertThat(failure(ask(CommandAction.PREPARE))).isEqualTo("line-busy RETRYABLE");
    assertThat(failure(ask(CommandAction.PREPARE))).isEqualTo("line-busy RETRYABLE");
    assertThat(ask(CommandAction.PREPARE)).isEqualTo(DONE);
  }

  @Test
  void itMayFailAfterTheWorkIsDone() {
    settings.put("fail_upgrade", "final health-failed");
    settings.put("fail_upgrade_after", "true");
    ask(CommandAction.PREPARE);

    assertThat(failure(ask(CommandAction.UPGRADE))).isEqualTo("health-failed FINAL");
    assertThat(driver().inspect().version()).isEqualTo("2.0");
  }

  @Test
  void itMayFailOnAShareOfTheHosts() {
    arguments.put("fail_prepare", "final broken");
    arguments.put("fail_prepare_percent", "20");

    long failed =
        IntStream.range(0, 1000)
            .filter(i -> driver("host-" + i).prepare(job(CommandAction.PREPARE)) instanceof CommandResult.Failed)
            .count();

    assertThat(failed).isBetween(120L, 280L);
  }

  @Test
  void itMayBecomeAnotherVersionThanItShould() {
    arguments.put("becomes", "1.9");
    ask(CommandAction.PREPARE);

    assertThat(ask(CommandAction.UPGRADE)).isEqualTo(DONE);
    assertThat(driver().inspect().version()).isEqualTo("1.9");
  }

  @Test
  void itTakesItsTimeAndCanBeCancelledMeanwhile() {
    arguments.put("prepare_ms", "100000");
    FakeJob job = job(CommandAction.PREPARE);
    job.cancel();

    assertThat(driver().prepare(job)).isEqualTo(new CommandResult.Cancelled());

    arguments.put("prepare_ms", "300");
    long before = System.nanoTime();
    ask(CommandAction.PREPARE);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(299));
  }

  @Test
  void aKnobWithoutSenseNamesItself() {
    arguments.put("fail_prepare", "sometimes broken");

    assertThat(ask(CommandAction.PREPARE))
        .isInstanceOfSatisfying(
            CommandResult.Failed.class,
            failed ->
                assertThat(failed.text())
                    .isEqualTo(
                        "fail_prepare: expected one of retryable, final, declined, needs-person,"
                            + " found \"sometimes broken\""));
  }

  private SimulatedDriver driver() {
    return driver("sim-1");
  }

  /// Each a new one, as after a restart of the agent.
  private SimulatedDriver driver(String name) {
    Host host = new Host("acme", name, FileOps.onDisk(), () -> bootId);
    Path state = folder.resolve(name);
    return SimulatedDriver.open(new PackageContext(host, "shopd", state, state, PackageOptions.of(settings)));
  }

  private CommandResult ask(CommandAction commandAction) {
    return switch (commandAction) {
      case PREPARE -> driver().prepare(job(commandAction));
      case UPGRADE -> driver().upgrade(job(commandAction));
      case COMMIT -> driver().commit(job(commandAction));
      default -> driver().rollback(job(commandAction));
    };
  }

  private FakeJob job(CommandAction commandAction) {
    ReleaseManifest release = TestJobs.release("simulated", "2.0", Optional.empty(), arguments);
    return TestJobs.job(commandAction, commandAction == CommandAction.ROLLBACK ? "1.0" : "2.0", release);
  }
}
