package dev.uplift.api.rollouts;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.NameOf;
import dev.uplift.api.json.RequestBody;
import dev.uplift.api.json.TextForm;
import dev.uplift.api.rollouts.RolloutRulesRequest.LimitsRequest;
import dev.uplift.api.rollouts.RolloutRulesRequest.RetriesRequest;
import dev.uplift.api.rollouts.RolloutRulesRequest.ThresholdsRequest;
import dev.uplift.api.timeouts.StepTimeoutsView;
import dev.uplift.api.windows.WindowView;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.rollout.plan.OnBusy;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WindowRule;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.rollout.RolloutRules;
import dev.uplift.services.rollout.RolloutSpec;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A rollout as clients write it, and, with all defaults, as it is shown to them: what is shown can be written again.
///
/// @param draft whether it waits until a person starts it; never shown
/// @param title for people; absent: the release
/// @param selection expression that is true of the devices that take part
/// @param everything confirms that this may be all devices of the tenant
/// @param windows of the rollout itself, besides those of devices and labels
/// @param lateJoiners whether devices that match later take part too
/// @param startAt not before
/// @param notAfter deadline: no device is started after it
/// @param priority the higher one gets a device that two rollouts want
/// @param rollbackScope how much of a device is rolled back when one of its hosts fails
/// @param hostSoakSeconds how long each host must stay healthy
/// @param stepTimeouts where they differ from those of the release and of the server
@Introspected
@JsonPropertyOrder({"title", "package", "version"})
record RolloutRequest(
    @Nullable @Schema(accessMode = Schema.AccessMode.WRITE_ONLY) Boolean draft,
    @NameOf(NameRule.PACKAGE) @JsonProperty("package") String packageName,
    @NameOf(NameRule.VERSION) String version,
    @Nullable @NotBlank @Size(max = 200) String title,
    @TextForm(TextForm.Form.MULTILINE) @Schema(minLength = 1, maxLength = 2000) String selection,
    @Bindable(defaultValue = "false") boolean everything,
    @Bindable(defaultValue = "[]") @Size(max = RolloutPlan.MAX_WAVES) List<WaveRequest> waves,
    @Bindable(defaultValue = "{}") LimitsRequest limits,
    @Bindable(defaultValue = "{}") ThresholdsRequest thresholds,
    @Bindable(defaultValue = "{}") RetriesRequest retries,
    @Bindable(defaultValue = "{}") WindowRuleRequest window,
    Optional<@Size(max = Window.MAX_WINDOWS) List<WindowView>> windows,
    @Bindable(defaultValue = "false") boolean lateJoiners,
    Optional<Instant> startAt,
    Optional<Instant> notAfter,
    @Bindable(defaultValue = "0") @Schema(minimum = "-1000", maximum = "1000") int priority,
    @Bindable(defaultValue = "wait") OnBusy onBusy,
    @Bindable(defaultValue = "device") RollbackScope rollbackScope,
    @Bindable(defaultValue = "0") @Min(0) @Max(604_800) int hostSoakSeconds,
    @Bindable(defaultValue = "false") boolean allowDowngrade,
    @Bindable(defaultValue = "{}") StepTimeoutsView stepTimeouts)
    implements RequestBody {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enumNamingStrategy(EnumNamingStrategies.KEBAB_CASE)
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_ABSENT))
          .build();

  /// Stands for a release that is missing or wrong until the request is refused for it.
  private static final Release PLACEHOLDER_RELEASE = new Release("none", "0");

  /// How maintenance windows apply.
  ///
  /// @param reason why they are ignored
  @Introspected
  record WindowRuleRequest(
      @Bindable(defaultValue = "wait") WindowRule.Mode mode,
      @Bindable(defaultValue = "") @Size(max = 500) @JsonInclude(JsonInclude.Include.NON_EMPTY) String reason,
      @Bindable(defaultValue = "finish") WindowRule.OnClose onClose,
      @Bindable(defaultValue = "86400") @Schema(minimum = "0", maximum = "604800") int prepareAheadSeconds,
      @Bindable(defaultValue = "1800") @Schema(minimum = "0", maximum = "86400") int requiredTimeSeconds)
      implements RequestBody {
    static WindowRuleRequest of(WindowRule rule) {
      return new WindowRuleRequest(
          rule.mode(),
          rule.reason(),
          rule.onClose(),
          (int) rule.prepareAhead().toSeconds(),
          (int) rule.requiredTime().toSeconds());
    }

    WindowRule rule() {
      return new WindowRule(
          mode, reason, onClose, Duration.ofSeconds(prepareAheadSeconds), Duration.ofSeconds(requiredTimeSeconds));
    }
  }

  static RolloutRequest of(RolloutSpec spec) {
    return of(spec, RolloutRules.of(spec.plan()));
  }

  /// @param rules that apply in place of those of the plan
  static RolloutRequest of(RolloutSpec spec, RolloutRules rules) {
    RolloutPlan plan = spec.plan();
    return new RolloutRequest(
        null,
        plan.release().packageName(),
        plan.release().version(),
        spec.title(),
        plan.selection(),
        plan.everything(),
        plan.waves().stream().map(WaveRequest::of).toList(),
        LimitsRequest.of(rules.limits()),
        ThresholdsRequest.of(rules.thresholds()),
        RetriesRequest.of(rules.retries()),
        WindowRuleRequest.of(plan.window()),
        Optional.of(WindowView.all(plan.windows())),
        plan.lateJoiners(),
        plan.startAt(),
        plan.notAfter(),
        plan.priority(),
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

  boolean createsDraft() {
    return Boolean.TRUE.equals(draft);
  }

  RolloutSpec spec() {
    return new RolloutSpec(
        title == null ? release().toString() : title,
        plan().withWindows(WindowView.windows(windows.orElse(List.of()))),
        rollbackScope,
        Duration.ofSeconds(hostSoakSeconds),
        allowDowngrade,
        stepTimeouts.timeouts());
  }

  private Release release() {
    return packageName == null || version == null ? PLACEHOLDER_RELEASE : new Release(packageName, version);
  }

  /// The plan without windows, as far as it can be understood.
  private RolloutPlan plan() {
    return new RolloutPlan(
        release(),
        selection == null ? "" : selection,
        everything,
        waves.stream().map(WaveRequest::spec).toList(),
        limits.limits(),
        thresholds.thresholds(),
        retries.policy(),
        window.rule(),
        lateJoiners,
        startAt,
        notAfter,
        priority,
        onBusy);
  }

  ObjectNode toJson() {
    return MAPPER.valueToTree(this);
  }

  Map<String, Object> toMap() {
    return MAPPER.convertValue(this, new TypeReference<>() {});
  }
}
