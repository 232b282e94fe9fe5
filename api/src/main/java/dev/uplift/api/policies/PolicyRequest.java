package dev.uplift.api.policies;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.NameOf;
import dev.uplift.api.json.RequestBody;
import dev.uplift.api.json.TextForm;
import dev.uplift.api.rollouts.RolloutTemplateRequest;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.policy.PolicyRepeat;
import dev.uplift.fleet.policy.PolicyStart;
import dev.uplift.fleet.policy.UnknownVersion;
import dev.uplift.services.policy.PolicyJson;
import dev.uplift.services.policy.PolicySpec;
import dev.uplift.services.selection.CompiledSelection;
import dev.uplift.services.selection.Selection;
import dev.uplift.services.selection.SelectionError;
import dev.uplift.store.policy.NewPolicy;
import dev.uplift.store.policy.PolicyRow;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A policy as clients write it, and, with all defaults, as it is shown to them: what is shown can be written again.
///
/// @param title for people, in a line
/// @param description for people, in some lines
/// @param selection expression that is true of the devices that it applies to
/// @param everything confirms that this may be all devices of the tenant
/// @param fallback whether it applies only to devices that no other policy for the package applies to
/// @param priority of two policies for a device the higher one decides, then the one that was enabled last
/// @param startAt not before; absent: as soon as it is enabled
/// @param spreadOverSeconds each device begins at its own point of this span
/// @param eachWindow whether a device is begun with only when its maintenance window is open, and is in no rollout
///   before
/// @param cron begins in runs at these times, and not between them: minute, hour, day of the month, month, day of the
///   week from 0, which is Sunday; absent: whenever something is due
/// @param cronZone IANA time zone of the cron line; of no effect without one
/// @param unknownVersion what happens to a device whose running version was never published
/// @param rollout how its rollouts are done
@Introspected
@JsonPropertyOrder({"title", "description", "package", "target"})
record PolicyRequest(
    @Bindable(defaultValue = "") @Size(max = 200) String title,
    @Bindable(defaultValue = "") @TextForm(TextForm.Form.MULTILINE) @Size(max = 2000) String description,
    @NameOf(NameRule.PACKAGE) @JsonProperty("package") String packageName,
    PolicyTargetRequest target,
    @TextForm(TextForm.Form.MULTILINE) @Schema(minLength = 1, maxLength = 2000) String selection,
    @Bindable(defaultValue = "false") boolean everything,
    @Bindable(defaultValue = "false") boolean fallback,
    @Bindable(defaultValue = "0") @Min(-1000) @Max(1000) int priority,
    Optional<Instant> startAt,
    @Bindable(defaultValue = "0") @Min(0) @Max(2_592_000) int spreadOverSeconds,
    @Bindable(defaultValue = "false") boolean eachWindow,
    @Nullable @NotBlank @Size(max = 100) String cron,
    @Bindable(defaultValue = "UTC") ZoneId cronZone,
    @Bindable(defaultValue = "leave") UnknownVersion unknownVersion,
    @Bindable(defaultValue = "{}") RolloutTemplateRequest rollout)
    implements RequestBody {
  private static final ZoneId UTC = ZoneId.of("UTC");

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enumNamingStrategy(EnumNamingStrategies.KEBAB_CASE)
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_ABSENT))
          .build();

  static PolicyRequest of(PolicyRow row) {
    PolicySpec spec = PolicyJson.read(row.spec());
    return new PolicyRequest(
        row.title(),
        row.description(),
        row.packageName(),
        PolicyTargetRequest.of(spec.target()),
        spec.selection(),
        spec.everything(),
        spec.fallback(),
        row.priority(),
        spec.start().start(),
        (int) spec.start().spreadOver().toSeconds(),
        spec.repeat() instanceof PolicyRepeat.EachWindow,
        spec.cron().map(PolicyRepeat.Cron::line).orElse(null),
        spec.cron().map(PolicyRepeat.Cron::zone).orElse(UTC),
        spec.unknownVersion(),
        RolloutTemplateRequest.of(spec.rollout()));
  }

  @Override
  public void check(BodyErrors errors, Instant now) {
    checkRepeat(errors);
    @Nullable String text = selection;
    if (text == null) {
      return;
    }
    if (text.isBlank()) {
      errors.add("/selection", "expected an expression such as labels.region == 'north'");
    } else if (Selection.compile(text) instanceof CompiledSelection.Invalid(SelectionError error)) {
      errors.add("/selection", error.toString());
    }
  }

  private void checkRepeat(BodyErrors errors) {
    @Nullable String line = cron;
    if (line == null || errors.has("/cron")) {
      return;
    }
    PolicyRepeat.Cron.findFault(line).ifPresent(fault -> errors.add("/cron", fault));
    if (eachWindow) {
      errors.add("/each_window", "cannot be together with cron; expected one of them");
    }
    if (spreadOverSeconds > 0) {
      errors.add("/spread_over_seconds", "expected 0 with cron: a run begins with all that is due");
    }
  }

  private PolicyRepeat repeat() {
    if (cron != null) {
      return new PolicyRepeat.Cron(cron, cronZone);
    }
    return eachWindow ? new PolicyRepeat.EachWindow() : new PolicyRepeat.Always();
  }

  NewPolicy policy(PolicyId id) {
    return new NewPolicy(id, title, description, packageName, priority, PolicyJson.write(spec()));
  }

  PolicySpec spec() {
    return new PolicySpec(
        target.target(),
        selection,
        everything,
        fallback,
        new PolicyStart(startAt, Duration.ofSeconds(spreadOverSeconds)),
        repeat(),
        unknownVersion,
        rollout.spec());
  }

  ObjectNode toJson() {
    return MAPPER.valueToTree(this);
  }

  Map<String, Object> toMap() {
    return MAPPER.convertValue(this, new TypeReference<>() {});
  }
}
