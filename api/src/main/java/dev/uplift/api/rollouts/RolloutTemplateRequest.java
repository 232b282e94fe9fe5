package dev.uplift.api.rollouts;

import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.RequestBody;
import dev.uplift.api.rollouts.RolloutRequest.WindowRuleRequest;
import dev.uplift.api.rollouts.RolloutRulesRequest.LimitsRequest;
import dev.uplift.api.rollouts.RolloutRulesRequest.RetriesRequest;
import dev.uplift.api.rollouts.RolloutRulesRequest.ThresholdsRequest;
import dev.uplift.api.timeouts.StepTimeoutsView;
import dev.uplift.api.windows.WindowView;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.rollout.plan.OnBusy;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WindowRule;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.rollout.RolloutSpec;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// How the rollouts of a policy are done: a rollout without what the policy itself says.
///
/// @param windows of the rollouts themselves, besides those of devices and labels
/// @param rollbackScope how much of a device is rolled back when one of its hosts fails
/// @param hostSoakSeconds how long each host must stay healthy
/// @param stepTimeouts where they differ from those of the release and of the server
@Introspected
public record RolloutTemplateRequest(
    @Bindable(defaultValue = "[]") @Size(max = RolloutPlan.MAX_WAVES) List<WaveRequest> waves,
    @Bindable(defaultValue = "{}") LimitsRequest limits,
    @Bindable(defaultValue = "{}") ThresholdsRequest thresholds,
    @Bindable(defaultValue = "{}") RetriesRequest retries,
    @Bindable(defaultValue = "{}") WindowRuleRequest window,
    Optional<@Size(max = Window.MAX_WINDOWS) List<WindowView>> windows,
    @Bindable(defaultValue = "wait") OnBusy onBusy,
    @Bindable(defaultValue = "device") RollbackScope rollbackScope,
    @Bindable(defaultValue = "0") @Min(0) @Max(604_800) int hostSoakSeconds,
    @Bindable(defaultValue = "false") boolean allowDowngrade,
    @Bindable(defaultValue = "{}") StepTimeoutsView stepTimeouts)
    implements RequestBody {
  /// Of a plan whose release, selection and priority are those of the policy.
  private static final RolloutPlan BASE = RolloutPlan.defaults(new Release("none", "0"), "true");

  public static RolloutTemplateRequest of(RolloutSpec spec) {
    RolloutPlan plan = spec.plan();
    return new RolloutTemplateRequest(
        plan.waves().stream().map(WaveRequest::of).toList(),
        LimitsRequest.of(plan.limits()),
        ThresholdsRequest.of(plan.thresholds()),
        RetriesRequest.of(plan.retries()),
        WindowRuleRequest.of(plan.window()),
        Optional.of(WindowView.all(plan.windows())),
        plan.onBusy(),
        spec.rollbackScope(),
        (int) spec.hostSoak().toSeconds(),
        spec.allowDowngrade(),
        StepTimeoutsView.of(spec.stepTimeouts()));
  }

  @Override
  public void check(BodyErrors errors, Instant now) {
    if (window.onClose() == WindowRule.OnClose.ROLL_BACK && rollbackScope == RollbackScope.NONE) {
      errors.add("/window/on_close", "roll-back has nothing to roll back with the rollback_scope none");
    }
    plan().violations(now).forEach(one -> errors.add(one.pointer(), one.message()));
  }

  public RolloutSpec spec() {
    return new RolloutSpec(
        "",
        plan().withWindows(WindowView.windows(windows.orElse(List.of()))),
        rollbackScope,
        Duration.ofSeconds(hostSoakSeconds),
        allowDowngrade,
        stepTimeouts.timeouts());
  }

  /// The plan without windows, as far as it can be understood.
  private RolloutPlan plan() {
    return new RolloutPlan(
        BASE.release(),
        BASE.selection(),
        true,
        waves.stream().map(WaveRequest::spec).toList(),
        limits.limits(),
        thresholds.thresholds(),
        retries.policy(),
        window.rule(),
        false,
        Optional.empty(),
        Optional.empty(),
        0,
        onBusy);
  }
}
