package dev.uplift.api.upgrades;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.api.timeouts.StepTimeoutsView;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.rollout.plan.WindowRule.OnClose;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// An upgrade as clients see it. Lists, and the response to its start, have the fields up to `temporal_ui`.
///
/// @param revertOf the upgrade that it reverts, which installed `version`; absent unless it is a revert
/// @param outcome absent while it runs
/// @param reason the first error, the deadline, or who aborted it; absent if nothing went wrong
/// @param temporalUi link to its run in Temporal Web UI; absent if none is configured
/// @param phase coarse
/// @param rollbackScope how much is rolled back when a host fails
/// @param notAfter deadline: nothing starts after it
/// @param onClose what happens if its window closes; absent if windows have no effect
/// @param stepTimeouts in force: its own, else those of its rollout, its release, the server
/// @param pausedBy who paused it, and why; absent unless it is paused
/// @param waiting empty if it waits for nothing
/// @param timeline every command to a host, in order
/// @param failingWorkflow why its workflow does not continue by itself; absent if it does
/// @param unavailable which fields are unknown at the moment, and why; absent if all are known
@Serdeable
record UpgradeView(
    String id,
    String device,
    @JsonProperty("package") String packageName,
    String version,
    Optional<String> revertOf,
    @Schema(implementation = Outcome.class) Optional<String> outcome,
    Optional<ReasonView> reason,
    String startedBy,
    Instant startedAt,
    Optional<Instant> endedAt,
    Optional<String> temporalUi,
    @Schema(implementation = Phase.class) Optional<String> phase,
    @Schema(implementation = RollbackScope.class) Optional<String> rollbackScope,
    Optional<Boolean> allowDowngrade,
    Optional<Instant> notAfter,
    @Schema(implementation = OnClose.class) Optional<String> onClose,
    Optional<StepTimeoutsView> stepTimeouts,
    Optional<String> pausedBy,
    Optional<List<HostProgressView>> hosts,
    Optional<List<UpgradeWaitView>> waiting,
    Optional<List<CommandView>> timeline,
    Optional<String> failingWorkflow,
    Optional<String> unavailable) {}
