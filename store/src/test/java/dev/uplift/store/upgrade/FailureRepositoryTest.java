package dev.uplift.store.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.upgrade.FailureRepository.DeviceFailure;
import dev.uplift.store.upgrade.FailureRepository.StrandedDevice;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FailureRepositoryTest extends DatabaseScenario {
  private static final Release SHOPD = new Release("shopd", "1.4");
  private static final Release OS = new Release("os", "2");
  private static final UpgradeEnd.EndReason BROKEN =
      new UpgradeEnd.EndReason("error", "health", "final", "does not answer");
  private static final UpgradeEnd.EndReason ANN = new UpgradeEnd.EndReason("abort", "abort", "", "ann: no");

  private final FailureRepository failures = database.repository(FailureRepository.class);
  private final UpgradeRepository upgrades = database.repository(UpgradeRepository.class);
  private final DeviceRepository devices = database.repository(DeviceRepository.class);

  @Test
  void aReleaseThatFailedOnTheDeviceIsFound() {
    assertThat(failures.findFailureSinceSuccess(device("site"), SHOPD)).isEmpty();
    ended("u1", Outcome.ROLLED_BACK, BROKEN);

    assertThat(failures.findFailureSinceSuccess(device("site"), SHOPD).orElseThrow().id()).isEqualTo("u1");
    assertThat(failures.findFailureSinceSuccess(device("other"), SHOPD)).isEmpty();
    assertThat(failures.findFailureSinceSuccess(device("site"), new Release("shopd", "1.5"))).isEmpty();

    ended("u2", Outcome.PREPARE_FAILED, BROKEN);
    assertThat(failures.findFailureSinceSuccess(device("site"), SHOPD).orElseThrow().id()).isEqualTo("u2");
  }

  @Test
  void aClearedFailureCountsNoMoreUntilTheNextOne() {
    ended("u1", Outcome.ROLLED_BACK, BROKEN);
    ended("u2", Outcome.STRANDED, BROKEN);

    assertThat(failures.clearFailures(device("other"), SHOPD)).isZero();
    assertThat(failures.clearFailures(device("site"), new Release("shopd", "1.5"))).isZero();
    assertThat(failures.clearFailures(device("site"), SHOPD)).isEqualTo(2);

    assertThat(failures.findFailureSinceSuccess(device("site"), SHOPD)).isEmpty();
    assertThat(upgrades.find(tenant, "u2").orElseThrow().end().orElseThrow().outcome()).isEqualTo(Outcome.STRANDED);
    assertThat(failures.clearFailures(device("site"), SHOPD)).isZero();
    ended("u3", Outcome.PREPARE_FAILED, BROKEN);
    assertThat(failures.findFailureSinceSuccess(device("site"), SHOPD).orElseThrow().id()).isEqualTo("u3");
  }

  @Test
  void failuresOfManyDevicesAreClearedAtOnce() {
    ended("u1", Outcome.ROLLED_BACK, BROKEN);

    assertThat(failures.clearFailures(tenant, List.of("other"), SHOPD)).isZero();
    assertThat(failures.clearFailures(tenant, List.of("other", "site"), new Release("shopd", "1.5"))).isZero();
    assertThat(failures.clearFailures(tenant, List.of("other", "site"), SHOPD)).isEqualTo(1);

    assertThat(failures.findFailureSinceSuccess(device("site"), SHOPD)).isEmpty();
  }

  @Test
  void aSuccessCancelsAnEarlierFailureButNotALaterOne() {
    ended("u1", Outcome.STRANDED, BROKEN);
    ended("u2", Outcome.UPGRADED, null);
    assertThat(failures.findFailureSinceSuccess(device("site"), SHOPD)).isEmpty();

    ended("u3", Outcome.PARTIAL, BROKEN);
    assertThat(failures.findFailureSinceSuccess(device("site"), SHOPD).orElseThrow().id()).isEqualTo("u3");

    ended("u4", Outcome.NO_ACTION, null);
    assertThat(failures.findFailureSinceSuccess(device("site"), SHOPD)).isEmpty();
  }

  @Test
  void outcomesThatDoNotBlameTheReleaseAreNoFailures() {
    ended("u1", Outcome.ROLLED_BACK, ANN);
    ended("u2", Outcome.EXPIRED, new UpgradeEnd.EndReason("deadline", "deadline", "", "late"));
    ended("u3", Outcome.DECLINED, new UpgradeEnd.EndReason("declined", "busy", "declined", "busy"));
    begin("u4", "site", SHOPD);

    assertThat(failures.findFailureSinceSuccess(device("site"), SHOPD)).isEmpty();
  }

  @Test
  void failuresOfAllDevicesAreThoseThatAreFoundDeviceByDevice() {
    ended("u1", "a", Outcome.ROLLED_BACK, BROKEN);
    ended("u2", "b", Outcome.PARTIAL, BROKEN);
    ended("u3", "b", Outcome.UPGRADED, null);
    ended("u4", "c", Outcome.UPGRADED, null);
    ended("u5", "c", Outcome.STRANDED, BROKEN);
    ended("u6", "d", Outcome.ROLLED_BACK, ANN);
    begin("u7", "a", SHOPD);

    List<DeviceFailure> found = failures.listFailuresSinceSuccess(tenant, SHOPD);

    assertThat(found)
        .containsExactly(
            new DeviceFailure("a", "u1", "rolled-back", BROKEN.text()),
            new DeviceFailure("c", "u5", "stranded", BROKEN.text()));
    assertThat(failures.listFailuresSinceSuccess(tenant, SHOPD, "b", "c"))
        .extracting(DeviceFailure::id)
        .containsExactly("u5");
    for (String device : List.of("a", "b", "c", "d")) {
      assertThat(found.stream().filter(failure -> failure.device().equals(device)).map(DeviceFailure::id).findFirst())
          .isEqualTo(failures.findFailureSinceSuccess(device(device), SHOPD).map(UpgradeRow::id));
    }
    assertThat(failures.listFailuresSinceSuccess(tenant, new Release("shopd", "1.5"))).isEmpty();
  }

  @Test
  void aRevertDoesNotCountForOrAgainstTheRelease() {
    revertEnded("u1.r1", Outcome.STRANDED, BROKEN);
    assertThat(failures.findFailureSinceSuccess(device("site"), SHOPD)).isEmpty();

    ended("u2", Outcome.ROLLED_BACK, BROKEN);
    revertEnded("u1.r2", Outcome.NO_ACTION, null);
    assertThat(failures.findFailureSinceSuccess(device("site"), SHOPD).orElseThrow().id()).isEqualTo("u2");
    assertThat(upgrades.find(tenant, "u1.r2").orElseThrow().revertOf()).contains("u1");
  }

  private void revertEnded(String id, Outcome outcome, UpgradeEnd.@Nullable EndReason endReason) {
    upgrades.createIfAbsent(new NewUpgrade(id, device("site"), SHOPD, "ann", "{}", "run-1", Optional.of("u1")));
    clock.advance(Duration.ofMinutes(1));
    upgrades.recordEnd(tenant, id, new UpgradeEnd(outcome, Optional.ofNullable(endReason), "[]"));
  }

  @Test
  void aDeviceIsStrandedUntilItsNextUpgradeBegins() {
    register("left");
    register("right");
    ended("l1", "left", OS, Outcome.UPGRADED, null);
    ended("l2", "left", OS, Outcome.STRANDED, null);
    ended("r1", "right", OS, Outcome.STRANDED, null);
    assertThat(stranded())
        .containsExactly(new StrandedDevice(tenant, "right", "r1"), new StrandedDevice(tenant, "left", "l2"));

    begin("l3", "left", OS);

    assertThat(stranded()).containsExactly(new StrandedDevice(tenant, "right", "r1"));
  }

  @Test
  void aDeviceThatIsNotRegisteredIsNotStranded() {
    ended("u1", "gone", OS, Outcome.STRANDED, null);

    assertThat(stranded()).isEmpty();
  }

  @Test
  void noMoreAreReadThanAreAskedFor() {
    for (String name : List.of("a", "b", "c")) {
      register(name);
      ended("u-" + name, name, OS, Outcome.STRANDED, null);
    }

    assertThat(failures.listStranded(2)).hasSize(2);
  }

  private List<StrandedDevice> stranded() {
    return failures.listStranded(1000).stream().filter(each -> each.tenant().equals(tenant)).toList();
  }

  private void register(String device) {
    var _ =
        devices.put(
            new DeviceSpec(device(device), List.of(new HostId(device + "-host")), Map.of(), ZoneOffset.UTC, ""),
            Precondition.anything());
  }

  private void begin(String id, String device, Release release) {
    clock.advance(Duration.ofMinutes(1));
    var _ = upgrades.createIfAbsent(new NewUpgrade(id, device(device), release, "ann", "{}", "run-1"));
  }

  private void ended(String id, Outcome outcome, UpgradeEnd.@Nullable EndReason endReason) {
    ended(id, "site", outcome, endReason);
  }

  private void ended(String id, String device, Outcome outcome, UpgradeEnd.@Nullable EndReason endReason) {
    ended(id, device, SHOPD, outcome, endReason);
  }

  private void ended(
      String id, String device, Release release, Outcome outcome, UpgradeEnd.@Nullable EndReason endReason) {
    begin(id, device, release);
    clock.advance(Duration.ofMinutes(1));
    upgrades.recordEnd(tenant, id, new UpgradeEnd(outcome, Optional.ofNullable(endReason), "[]"));
  }
}
