package dev.uplift.workflows.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The checks before any command is sent.
final class UpgradeStartCheckTest extends DeviceUpgradeScenario {
  @Test
  void deviceThatRunsTheReleaseNeedsNoAction() {
    records.runs("left", "1.5.0");
    records.runs("right", "1.5.0");

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.NO_ACTION);
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.5.0", RIGHT, "1.5.0"));
    assertThat(fleet.log()).isEmpty();
    keepHistoryOf(result);
  }

  @Test
  void upgradeThatHasEndedBeforeReturnsItsResult() {
    UpgradeResult before = new UpgradeResult(Outcome.ROLLED_BACK, Optional.empty(), List.of());
    records.endedBefore("u-1", before);

    assertThat(upgrade("left")).isEqualTo(before);

    assertThat(fleet.log()).isEmpty();
    assertThat(records.results()).isEmpty();
  }

  @Test
  void heldDeviceIsNotChangedForAPersonEither() {
    byPerson = true;
    records.hold("by ben until Monday: stocktaking");

    assertDeclined("held", "by ben until Monday: stocktaking");
  }

  @Test
  void releaseThatFailedOnTheDeviceIsNotRetriedAutomatically() {
    records.failedBefore("rolled-back on 2026-11-02, bad-image");

    assertDeclined("failed-before", "os 1.5.0: rolled-back on 2026-11-02, bad-image");
  }

  @Test
  void releaseThatFailedOnTheDeviceIsRetriedByAPerson() {
    byPerson = true;
    records.failedBefore("rolled-back on 2026-11-02, bad-image");

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void whatIsOfferedIsInstalledOverTheReleaseThatRuns() {
    fleet.host("left").setVersion("1.5.0");
    records.runs("left", "1.5.0");
    records.offerUpdate();

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(fleet.log()).containsSubsequence("prepare left", "upgrade left");
  }

  @Test
  void agentWithoutTheDriverIsSentNothing() {
    records.agentsCarryOutOnly("apt");

    assertDeclined("no-driver", "left has no driver for bundle");
  }

  @Test
  void downgradeIsDeclined() {
    fleet.host("left").setVersion("1.6.0");
    records.runs("left", "1.6.0");

    assertDeclined("downgrade", "1.6.0 on left is newer than os 1.5.0");
  }

  @Test
  void downgradeOnPurposeIsAnUpgrade() {
    allowDowngrade = true;
    fleet.host("left").setVersion("1.6.0");
    records.runs("left", "1.6.0");

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.5.0"));
  }

  private void assertDeclined(String code, String text) {
    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.DECLINED);
    assertThat(result.reason().orElseThrow().code()).isEqualTo(code);
    assertThat(result.reason().orElseThrow().message()).isEqualTo(text);
    assertThat(fleet.log()).isEmpty();
    assertThat(records.results()).containsExactly(result);
  }
}
