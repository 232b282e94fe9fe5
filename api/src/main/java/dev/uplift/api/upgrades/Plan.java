package dev.uplift.api.upgrades;

import dev.uplift.store.UpgradeRow;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What an upgrade was told, as the records have it. What another version of ours wrote otherwise
/// is left out.
///
/// @param author who cannot approve it; empty where nobody has to
/// @param onClose what becomes of the device if its window closes; empty where windows mean nothing
record Plan(
    Optional<String> reach,
    Optional<Boolean> allowDowngrade,
    Optional<Instant> notAfter,
    Optional<String> author,
    Optional<String> onClose) {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  static Plan of(UpgradeRow row) {
    try {
      JsonNode plan = MAPPER.readTree(row.plan());
      return new Plan(
          plan.path("reach").asStringOpt(),
          plan.path("allow_downgrade").asBooleanOpt(),
          plan.path("not_after").asStringOpt().map(Instant::parse),
          plan.path("approval").path("author").asStringOpt(),
          plan.path("window").path("on_close").asStringOpt());
    } catch (JacksonException | DateTimeException _) {
      return new Plan(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }
  }
}
