package dev.uplift.activities.rollout;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.uplift.fleet.rollout.Gate;
import dev.uplift.fleet.rollout.Steering;
import dev.uplift.fleet.rollout.WaveSize;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/// Plan, rules and steering of a rollout as the JSON that its row keeps. A field may be added to
/// them, none removed or renamed. Not what the REST API shows: that has words of its own.
public final class RolloutTexts {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enumNamingStrategy(EnumNamingStrategies.KEBAB_CASE)
          .addMixIn(WaveSize.class, Sizes.class)
          .addMixIn(Gate.class, Gates.class)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private RolloutTexts() {}

  public static String write(RolloutWish wish) {
    return MAPPER.writeValueAsString(wish);
  }

  /// Of the column `plan`.
  public static RolloutWish wish(String text) {
    return MAPPER.readValue(text, RolloutWish.class);
  }

  /// Also what [dev.uplift.workflows.rollout.SteerWish#rules] carries.
  public static String write(RolloutRules rules) {
    return MAPPER.writeValueAsString(rules);
  }

  /// Of the column `rules`.
  public static RolloutRules rules(String text) {
    return MAPPER.readValue(text, RolloutRules.class);
  }

  static String write(Steering steering) {
    return MAPPER.writeValueAsString(steering);
  }

  /// Of the column `steering`.
  public static Steering steering(String text) {
    return MAPPER.readValue(text, Steering.class);
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
  private interface Sizes {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "opens")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Gate.Automatic.class, name = "automatic"),
    @JsonSubTypes.Type(value = Gate.Approval.class, name = "approval"),
    @JsonSubTypes.Type(value = Gate.Time.class, name = "time")
  })
  private interface Gates {}
}
