package dev.uplift.api.rollouts;

import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.RequestBody;
import dev.uplift.api.json.TextForm;
import dev.uplift.fleet.rollout.plan.Gate;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A wave of a plan. Exactly one of `count`, `percent`, `expression`, `each_value_of` and `rest` says which devices it
/// takes.
///
/// @param count so many
/// @param percent this share of all devices of the rollout
/// @param expression those that it is true of
/// @param eachValueOf a label: becomes one wave for each of its values
/// @param rest all that are left
/// @param spreadByLabel label over whose values the devices are picked evenly
/// @param gate what must happen before it starts; absent: `time` with `not_before`
/// @param soakSeconds how long its devices must stay healthy before it is completed
/// @param maxParallel most devices in progress at once
@Introspected
record WaveRequest(
    @Nullable @Schema(minimum = "1") Integer count,
    @Nullable @Schema(minimum = "1", maximum = "100") Integer percent,
    @Nullable @TextForm(TextForm.Form.MULTILINE) @Schema(minLength = 1) String expression,
    @Nullable @Schema(minLength = 1) String eachValueOf,
    @Nullable Boolean rest,
    @Schema(minLength = 1) Optional<String> spreadByLabel,
    @Nullable GateType gate,
    Optional<Instant> notBefore,
    @Bindable(defaultValue = "0") @Schema(minimum = "0", maximum = "7776000") int soakSeconds,
    @Schema(minimum = "1") Optional<Integer> maxParallel)
    implements RequestBody {
  /// The words of a gate.
  enum GateType {
    AUTOMATIC,
    APPROVAL,
    TIME
  }

  static WaveRequest of(WaveSpec wave) {
    WaveSize size = wave.size();
    return new WaveRequest(
        size instanceof WaveSize.Count(int devices) ? devices : null,
        size instanceof WaveSize.Percent(int percent) ? percent : null,
        size instanceof WaveSize.Matching(String expression) ? expression : null,
        size instanceof WaveSize.PerValue(String label) ? label : null,
        size instanceof WaveSize.Rest ? true : null,
        wave.spreadOver(),
        switch (wave.gate()) {
          case Gate.Automatic() -> GateType.AUTOMATIC;
          case Gate.Approval() -> GateType.APPROVAL;
          case Gate.Time _ -> GateType.TIME;
        },
        wave.gate() instanceof Gate.Time(Instant notBefore) ? Optional.of(notBefore) : Optional.empty(),
        (int) wave.soak().toSeconds(),
        wave.maxParallel());
  }

  @Override
  public void check(BodyErrors errors, Instant now) {
    if (Boolean.FALSE.equals(rest)) {
      errors.add("/rest", "expected true, or no such field");
    }
    List<String> sizes = new ArrayList<>();
    addIfGiven(sizes, errors, "count", count);
    addIfGiven(sizes, errors, "percent", percent);
    addIfGiven(sizes, errors, "expression", expression);
    addIfGiven(sizes, errors, "each_value_of", eachValueOf);
    addIfGiven(sizes, errors, "rest", rest);
    if (sizes.size() != 1) {
      errors.add(
          "",
          "expected one of count, percent, expression, each_value_of, rest, found "
              + (sizes.isEmpty() ? "none" : String.join(" and ", sizes)));
    }
    if (gate == GateType.TIME && notBefore.isEmpty()) {
      errors.add("/not_before", "is missing: the gate time needs the time at which it opens");
    }
    if (gate != null && gate != GateType.TIME && notBefore.isPresent()) {
      errors.add("/not_before", "expected only with the gate time");
    }
  }

  private static void addIfGiven(List<String> fields, BodyErrors errors, String field, @Nullable Object value) {
    if (value != null || errors.has("/" + field)) {
      fields.add(field);
    }
  }

  /// The wave, as far as it can be understood.
  WaveSpec spec() {
    return new WaveSpec(size(), spreadByLabel, opening(), Duration.ofSeconds(soakSeconds), maxParallel);
  }

  private WaveSize size() {
    if (count != null) {
      return new WaveSize.Count(count);
    }
    if (percent != null) {
      return new WaveSize.Percent(percent);
    }
    if (expression != null) {
      return new WaveSize.Matching(expression);
    }
    if (eachValueOf != null) {
      return new WaveSize.PerValue(eachValueOf);
    }
    return Boolean.TRUE.equals(rest) ? new WaveSize.Rest() : new WaveSize.Count(1);
  }

  private Gate opening() {
    return gate == GateType.APPROVAL
        ? new Gate.Approval()
        : notBefore.<Gate>map(Gate.Time::new).orElseGet(Gate.Automatic::new);
  }
}
