package dev.uplift.services.rollout;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.plan.Gate;
import dev.uplift.fleet.rollout.plan.WaveSize;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/// Plan, rules and control of a rollout as the JSON that its row keeps. A field may be added to them, none removed or
/// renamed. Not what the REST API shows: that has words of its own.
public final class RolloutJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enumNamingStrategy(EnumNamingStrategies.KEBAB_CASE)
          .addMixIn(WaveSize.class, WaveSizeMixIn.class)
          .addMixIn(Gate.class, GateMixIn.class)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private RolloutJson() {}

  public static String write(RolloutSpec spec) {
    return MAPPER.writeValueAsString(spec);
  }

  /// Of the column `plan`.
  public static RolloutSpec readSpec(String text) {
    return MAPPER.readValue(text, RolloutSpec.class);
  }

  /// Also what the `rules` of a rollout action carries.
  public static String write(RolloutRules rules) {
    return MAPPER.writeValueAsString(rules);
  }

  /// Of the column `rules`.
  public static RolloutRules readRules(String text) {
    return MAPPER.readValue(text, RolloutRules.class);
  }

  public static String write(RolloutControl control) {
    return MAPPER.writeValueAsString(control);
  }

  /// Of the column `control`.
  public static RolloutControl readControl(String text) {
    return MAPPER.readValue(text, RolloutControl.class);
  }

  /// The types of `fleet` know no framework, so their annotations stand here.
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "by")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = WaveSize.Count.class, name = "count"),
    @JsonSubTypes.Type(value = WaveSize.Percent.class, name = "percent"),
    @JsonSubTypes.Type(value = WaveSize.Matching.class, name = "expression"),
    @JsonSubTypes.Type(value = WaveSize.PerValue.class, name = "per-label"),
    @JsonSubTypes.Type(value = WaveSize.Rest.class, name = "rest")
  })
  private interface WaveSizeMixIn {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "opens")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Gate.Automatic.class, name = "automatic"),
    @JsonSubTypes.Type(value = Gate.Approval.class, name = "approval"),
    @JsonSubTypes.Type(value = Gate.Time.class, name = "time")
  })
  private interface GateMixIn {}
}
