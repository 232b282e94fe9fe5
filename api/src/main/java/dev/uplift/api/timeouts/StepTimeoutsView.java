package dev.uplift.api.timeouts;

import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.StepTimeouts;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How long steps may take, as clients write it and as it is shown to them. An absent one is that of the release, or of
/// the server.
///
/// @param prepareSeconds the download and the checks
/// @param upgradeSeconds the installation
/// @param rebootSeconds the reboot
/// @param awaitHeartbeatSeconds until a heartbeat shows the version
/// @param rollbackSeconds the rollback of the whole device
@Serdeable
public record StepTimeoutsView(
    @Nullable @Min(1) @Max(604_800) Integer prepareSeconds,
    @Nullable @Min(1) @Max(604_800) Integer upgradeSeconds,
    @Nullable @Min(1) @Max(604_800) Integer rebootSeconds,
    @Nullable @Min(1) @Max(604_800) Integer awaitHeartbeatSeconds,
    @Nullable @Min(1) @Max(604_800) Integer rollbackSeconds)
    implements RequestBody {

  public static StepTimeoutsView of(StepTimeouts timeouts) {
    return new StepTimeoutsView(
        seconds(timeouts, Step.PREPARE),
        seconds(timeouts, Step.UPGRADE),
        seconds(timeouts, Step.REBOOT),
        seconds(timeouts, Step.AWAIT_HEARTBEAT),
        seconds(timeouts, Step.ROLLBACK));
  }

  private static @Nullable Integer seconds(StepTimeouts timeouts, Step step) {
    Duration time = timeouts.byStep().get(step);
    return time == null ? null : (int) time.toSeconds();
  }

  public StepTimeouts timeouts() {
    Map<Step, Duration> times = new EnumMap<>(Step.class);
    put(times, Step.PREPARE, prepareSeconds);
    put(times, Step.UPGRADE, upgradeSeconds);
    put(times, Step.REBOOT, rebootSeconds);
    put(times, Step.AWAIT_HEARTBEAT, awaitHeartbeatSeconds);
    put(times, Step.ROLLBACK, rollbackSeconds);
    return new StepTimeouts(times);
  }

  private static void put(Map<Step, Duration> times, Step step, @Nullable Integer seconds) {
    if (seconds != null) {
      times.put(step, Duration.ofSeconds(seconds));
    }
  }
}
