package dev.uplift.api.barriers;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.NameOf;
import dev.uplift.api.json.RequestBody;
import dev.uplift.api.json.TextForm;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.barrier.WhenNotHalted;
import dev.uplift.services.barrier.BarrierSpec;
import dev.uplift.services.selection.CompiledSelection;
import dev.uplift.services.selection.Selection;
import dev.uplift.services.selection.SelectionError;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/// A barrier as clients write it, and, with all defaults, as it is shown to them: what is shown can be written again.
///
/// @param packageName that halts
/// @param selection expression that is true of the devices that take part
/// @param everything confirms that this may be all devices of the tenant
/// @param deadlineSeconds how long the hosts have to halt
/// @param maxHaltSeconds how long after the start every halted host resumes by itself; longer than the deadline
/// @param whenNotHalted what is done if a host has not halted by the deadline
/// @param migration what is done while all have halted
/// @param version that the halted devices proceed to afterwards, by a rollout; absent: they stay as they are
@Introspected
@JsonPropertyOrder({"package", "selection"})
record StartBarrierRequest(
    @NameOf(NameRule.PACKAGE) @JsonProperty("package") String packageName,
    @TextForm(TextForm.Form.MULTILINE) @Schema(minLength = 1, maxLength = 2000) String selection,
    @Bindable(defaultValue = "false") boolean everything,
    @Bindable(defaultValue = "600") @Min(1) @Max(604_799) int deadlineSeconds,
    @Bindable(defaultValue = "3600") @Min(2) @Max(604_800) int maxHaltSeconds,
    @Bindable(defaultValue = "abort") WhenNotHalted whenNotHalted,
    @Bindable(defaultValue = "{\"approval\": true}") BarrierMigrationRequest migration,
    @Nullable @NameOf(NameRule.VERSION) String version)
    implements RequestBody {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enumNamingStrategy(EnumNamingStrategies.KEBAB_CASE)
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_ABSENT))
          .build();

  static StartBarrierRequest of(BarrierSpec spec) {
    return new StartBarrierRequest(
        spec.packageName(),
        spec.selection(),
        spec.everything(),
        (int) spec.deadline().toSeconds(),
        (int) spec.maxHalt().toSeconds(),
        spec.whenNotHalted(),
        BarrierMigrationRequest.of(spec.migration()),
        spec.version().orElse(null));
  }

  @Override
  public void check(BodyErrors errors, Instant now) {
    if (!errors.has("/deadline_seconds") && !errors.has("/max_halt_seconds") && maxHaltSeconds <= deadlineSeconds) {
      errors.add("/max_halt_seconds", "expected more than deadline_seconds, %d".formatted(deadlineSeconds));
    }
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

  /// Returns what is asked for. To be called on one that was accepted.
  BarrierSpec spec() {
    return new BarrierSpec(
        packageName,
        selection,
        everything,
        Duration.ofSeconds(deadlineSeconds),
        Duration.ofSeconds(maxHaltSeconds),
        whenNotHalted,
        migration.migration(),
        Optional.ofNullable(version));
  }

  /// Returns the fields as they are shown.
  Map<String, Object> toMap() {
    return MAPPER.convertValue(this, new TypeReference<Map<String, Object>>() {});
  }
}
