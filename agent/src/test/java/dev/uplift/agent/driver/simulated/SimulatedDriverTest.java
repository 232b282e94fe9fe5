package dev.uplift.agent.driver.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.Found;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.Jobs;
import dev.uplift.agent.driver.Options;
import dev.uplift.agent.driver.Setup;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.Result;
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
  private static final Result DONE = new Result.Done();

  @TempDir private Path folder;

  private final Map<String, String> settings = new HashMap<>(Map.of("version", "1.0"));
  private final Map<String, String> arguments = new HashMap<>();
  private String bootId = "boot-1";

  @Test
  void itGoesThereAndBack() {
    assertThat(driver().inspect()).isEqualTo(new Found("1.0", "", false));
    assertThat(ask(Action.PREPARE)).isEqualTo(DONE);
    assertThat(driver().inspect()).isEqualTo(new Found("1.0", "2.0", false));
    assertThat(ask(Action.UPGRADE)).isEqualTo(DONE);
    assertThat(ask(Action.UPGRADE)).isEqualTo(DONE);
    assertThat(driver().inspect()).isEqualTo(new Found("2.0", "", false));
    assertThat(ask(Action.COMMIT)).isEqualTo(DONE);
    assertThat(ask(Action.ROLLBACK)).isEqualTo(DONE);
    assertThat(driver().inspect()).isEqualTo(new Found("1.0", "", false));
  }

  @Test
  void whatWasNotPreparedIsNotUpgradedTo() {
    assertThat(failure(ask(Action.UPGRADE))).isEqualTo("not-prepared FINAL");
  }

  @Test
  void rollbackOfAnUntouchedHostDropsWhatWasStaged() {
    ask(Action.PREPARE);

    assertThat(ask(Action.ROLLBACK)).isEqualTo(DONE);
    assertThat(driver().inspect()).isEqualTo(new Found("1.0", "", false));
  }

  @Test
  void theVersionChangesWithTheBootWhereARebootIsAskedFor() {
    arguments.put("reboot", "true");
    ask(Action.PREPARE);

    assertThat(ask(Action.UPGRADE)).isEqualTo(new Result.RebootRequired());
    assertThat(ask(Action.UPGRADE)).isEqualTo(new Result.RebootRequired());
    assertThat(driver().inspect().version()).isEqualTo("1.0");
    bootId = "boot-2";
    assertThat(driver().inspect().version()).isEqualTo("2.0");
    assertThat(ask(Action.UPGRADE)).isEqualTo(DONE);

    assertThat(ask(Action.ROLLBACK)).isEqualTo(new Result.RebootRequired());
    bootId = "boot-3";
    assertThat(driver().inspect().version()).isEqualTo("1.0");
  }

  @Test
  void onTrialAnotherBootGoesBackAndCommitEndsThat() {
    arguments.put("trial", "true");
    arguments.put("reboot", "true");
    ask(Action.PREPARE);
    ask(Action.UPGRADE);
    bootId = "boot-2";
    assertThat(driver().inspect()).isEqualTo(new Found("2.0", "", true));
    bootId = "boot-3";
    assertThat(driver().inspect()).isEqualTo(new Found("1.0", "", false));

    ask(Action.PREPARE);
    ask(Action.UPGRADE);
    bootId = "boot-4";
    assertThat(driver().inspect()).isEqualTo(new Found("2.0", "", true));
    ask(Action.COMMIT);
    bootId = "boot-5";
    assertThat(driver().inspect()).isEqualTo(new Found("2.0", "", false));
  }

  @Test
  void itFailsAsOftenAsItIsTold() {
    arguments.put("fail_prepare", "retryable line-busy");
    arguments.put("fail_prepare_times", "2");

    assertThat(failure(ask(Action.PREPARE))).isEqualTo("line-busy RETRYABLE");
    assertThat(failure(ask(Action.PREPARE))).isEqualTo("line-busy RETRYABLE");
    assertThat(ask(Action.PREPARE)).isEqualTo(DONE);
  }

  @Test
  void itMayFailAfterTheWorkIsDone() {
    settings.put("fail_upgrade", "final health-failed");
    settings.put("fail_upgrade_after", "true");
    ask(Action.PREPARE);

    assertThat(failure(ask(Action.UPGRADE))).isEqualTo("health-failed FINAL");
    assertThat(driver().inspect().version()).isEqualTo("2.0");
  }

  @Test
  void itMayFailOnAShareOfTheHosts() {
    arguments.put("fail_prepare", "final broken");
    arguments.put("fail_prepare_percent", "20");

    long failed =
        IntStream.range(0, 1000)
            .filter(i -> driver("host-" + i).prepare(job(Action.PREPARE)) instanceof Result.Failed)
            .count();

    assertThat(failed).isBetween(120L, 280L);
  }

  @Test
  void itMayBecomeAnotherVersionThanItShould() {
    arguments.put("becomes", "1.9");
    ask(Action.PREPARE);

    assertThat(ask(Action.UPGRADE)).isEqualTo(DONE);
    assertThat(driver().inspect().version()).isEqualTo("1.9");
  }

  @Test
  void itTakesItsTimeAndCanBeCancelledMeanwhile() {
    arguments.put("prepare_ms", "100000");
    FakeJob job = job(Action.PREPARE);
    job.cancel();

    assertThat(driver().prepare(job)).isEqualTo(new Result.Cancelled());

    arguments.put("prepare_ms", "300");
    long before = System.nanoTime();
    ask(Action.PREPARE);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(299));
  }

  @Test
  void aKnobWithoutSenseNamesItself() {
    arguments.put("fail_prepare", "sometimes broken");

    assertThat(ask(Action.PREPARE))
        .isInstanceOfSatisfying(
            Result.Failed.class,
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
    return SimulatedDriver.open(new Setup(host, "shopd", state, state, Options.of(settings)));
  }

  private Result ask(Action action) {
    return switch (action) {
      case PREPARE -> driver().prepare(job(action));
      case UPGRADE -> driver().upgrade(job(action));
      case COMMIT -> driver().commit(job(action));
      default -> driver().rollback(job(action));
    };
  }

  private FakeJob job(Action action) {
    ReleaseManifest release = Jobs.release("simulated", "2.0", Optional.empty(), arguments);
    return Jobs.job(action, action == Action.ROLLBACK ? "1.0" : "2.0", release);
  }

  private static String failure(Result result) {
    return result instanceof Result.Failed(String code, ErrorClass errorClass, String _)
        ? code + " " + errorClass
        : result.toString();
  }
}
