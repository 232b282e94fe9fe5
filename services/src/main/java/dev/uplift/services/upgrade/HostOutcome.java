package dev.uplift.services.upgrade;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/// How far a host got in an upgrade, as the table keeps it: JSON of its own, so that rows and
/// workflow histories may change independently of each other.
///
/// @param version that it was last found to run; `unknown` where it does not say
/// @param skipped whether an operator had it left as it is
/// @param reason why it stopped there; the first one if there were several
/// @param versionBefore the version that it ran before the upgrade; empty where that is not known
public record HostOutcome(
    HostId host,
    Progress progress,
    String version,
    boolean skipped,
    Optional<Reason> reason,
    Optional<String> versionBefore) {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enumNamingStrategy(EnumNamingStrategies.KEBAB_CASE)
          .addMixIn(HostId.class, TextMixIn.class)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /// Writes the outcomes of all hosts of an upgrade, in their order.
  public static String write(List<HostOutcome> outcomes) {
    return MAPPER.writeValueAsString(outcomes);
  }

  /// Reads what [#write] has written. Fields that are not known are ignored.
  public static List<HostOutcome> read(String json) {
    return List.of(MAPPER.readValue(json, HostOutcome[].class));
  }

  /// The types of `fleet` know no framework.
  private record TextMixIn(@JsonValue String value) {}
}
