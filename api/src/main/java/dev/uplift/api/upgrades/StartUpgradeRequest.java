package dev.uplift.api.upgrades;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.NameOf;
import dev.uplift.api.json.RequestBody;
import dev.uplift.api.timeouts.StepTimeoutsView;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.rollout.plan.WindowRule.OnClose;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Options of an upgrade.
///
/// @param rollbackScope how much is rolled back when a host fails
/// @param notAfter deadline: nothing starts after it; at most 14 days from now, by default a day
/// @param hostSoakSeconds how long each host must stay healthy before the next one
/// @param waitForWindow outside of the device's windows, prepares and waits for the next one
/// @param ignoreWindows starts outside of them too, for `reason`
/// @param reason why windows are ignored; required for that, kept in the audit
/// @param onClose what happens if the window closes while the device is being upgraded
/// @param requiredTimeSeconds how much of a window must be left at the start
/// @param requireApproval changes no host before another person has approved
/// @param overridePin also if the package is pinned to another version on the device, or held; what the owner of a host
///   holds only where the tenant allows it
/// @param stepTimeouts where they differ from those of the release and of the server
@Introspected
record StartUpgradeRequest(
    @NameOf(NameRule.PACKAGE) @JsonProperty("package") String packageName,
    @NameOf(NameRule.VERSION) String version,
    @Bindable(defaultValue = "device") RollbackScope rollbackScope,
    @Nullable Instant notAfter,
    @Bindable(defaultValue = "false") boolean allowDowngrade,
    @Bindable(defaultValue = "0") @Min(0) @Max(604_800) int hostSoakSeconds,
    @Bindable(defaultValue = "false") boolean waitForWindow,
    @Bindable(defaultValue = "false") boolean ignoreWindows,
    @Nullable @NotBlank @Size(max = 500) String reason,
    @Bindable(defaultValue = "finish") OnClose onClose,
    @Bindable(defaultValue = "1800") @Min(0) @Max(86_400) int requiredTimeSeconds,
    @Bindable(defaultValue = "false") boolean requireApproval,
    @Bindable(defaultValue = "false") boolean overridePin,
    @Bindable(defaultValue = "{}") StepTimeoutsView stepTimeouts)
    implements RequestBody {

  @Override
  public void check(BodyErrors errors, Instant now) {
    UpgradeDeadline.check(notAfter, errors, now);
    if (ignoreWindows && reason == null) {
      errors.add("/reason", "is missing; expected why the windows of the device are ignored");
    }
    if (ignoreWindows && waitForWindow) {
      errors.add("/wait_for_window", "cannot be together with ignore_windows; expected one of them");
    }
    if (!ignoreWindows && reason != null) {
      errors.add("/reason", "is for ignore_windows; expected it only there");
    }
    if (onClose == OnClose.ROLL_BACK && rollbackScope == RollbackScope.NONE) {
      errors.add("/on_close", "roll-back has nothing to roll back with the rollback_scope none");
    }
  }

  Release release() {
    return new Release(packageName, version);
  }

  /// Returns the deadline; by default a day from now, or the latest allowed one if the upgrade may wait for a window.
  Instant deadline(Instant now) {
    return waitForWindow ? UpgradeDeadline.orLatest(notAfter, now) : UpgradeDeadline.orTomorrow(notAfter, now);
  }

  Duration hostSoak() {
    return Duration.ofSeconds(hostSoakSeconds);
  }

  Duration requiredTime() {
    return Duration.ofSeconds(requiredTimeSeconds);
  }

  /// Returns the text for the audit; empty if windows have no effect.
  String auditText() {
    String pin = overridePin ? ", pins overridden" : "";
    return pin + (ignoreWindows ? ", windows ignored: " + reason : waitForWindow ? ", in its window" : "");
  }
}
