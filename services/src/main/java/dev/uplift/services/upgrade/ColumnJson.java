package dev.uplift.services.upgrade;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.uplift.fleet.HostId;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/// How the columns of an upgrade are written: apart from workflow histories and from REST, so that each may change by
/// itself. Unknown fields are ignored.
final class ColumnJson {
  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enumNamingStrategy(EnumNamingStrategies.KEBAB_CASE)
          .addMixIn(HostId.class, TextMixIn.class)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private ColumnJson() {}

  /// The types of `fleet` know no framework.
  private record TextMixIn(@JsonValue String value) {}
}
