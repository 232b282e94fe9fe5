package dev.uplift.workflows.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.UpgradeState;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class UpgradeCurrentDetailsTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  @Test
  void showsTheStateAndTheWaitsOfTheUpgrade() {
    Reason full = Reason.error(ErrorClass.NEEDS_PERSON, "disk-full", "/var | 12 MB\nleft");
    UpgradeStatus upgradeStatus =
        new UpgradeStatus(
            "u-1",
            new DeviceId("acme", "site-7"),
            Phase.UPGRADE,
            List.of(
                host("left", Progress.UPGRADED, "1.5.0", Optional.empty()),
                host("right", Progress.CHANGED, "1.4.0", Optional.of(full))),
            List.of(
                new PendingWait(
                    UpgradeWaitReason.PERSON,
                    Step.UPGRADE,
                    new HostId("right"),
                    "an operator to decide about upgrade right",
                    "operator",
                    NOON,
                    Optional.of(NOON.plusSeconds(3600).plusNanos(7)))),
            Optional.of(new Operator("ann", "lunch")),
            Optional.empty(),
            new UpgradeState(
                true, true, List.of(new HostId("right")), NOON.plusSeconds(3600), Optional.empty(), false));

    assertThat(UpgradeCurrentDetails.of(upgradeStatus))
        .isEqualTo(
            """
            **upgrade**, paused by ann: lunch

            - waits: an operator to decide about upgrade right (`retryStep`, `skipHost` or `abort`), \
            since 2026-11-20T12:00:00Z, until 2026-11-20T13:00:00Z

            | host | progress | runs |
            |---|---|---|
            | left | upgraded | 1.5.0 |
            | right | changed: /var \\| 12 MB left | 1.4.0 |
            """);
  }

  @Test
  void whatAHostSaysIsNeitherALinkNorAnImage() {
    assertThat(UpgradeCurrentDetails.escape("![x](https://evil.example/?a) [y](z) <img> `c` a|b"))
        .isEqualTo("\\!\\[x\\](https:\\//evil.example/?a) \\[y\\](z) \\<img\\> \\`c\\` a\\|b");
  }

  private static HostReport host(String name, Progress progress, String version, Optional<Reason> reason) {
    return new HostReport(new HostId(name), progress, version, false, reason);
  }
}
