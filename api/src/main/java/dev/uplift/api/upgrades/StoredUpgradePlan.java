package dev.uplift.api.upgrades;

import dev.uplift.store.upgrade.UpgradeRow;
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
record StoredUpgradePlan(
    Optional<String> rollbackScope,
    Optional<Boolean> allowDowngrade,
    Optional<Instant> notAfter,
    Optional<String> author,
    Optional<String> onClose) {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  static StoredUpgradePlan of(UpgradeRow row) {
    try {
      JsonNode plan = MAPPER.readTree(row.plan());
      return new StoredUpgradePlan(
          plan.path("rollback_scope").asStringOpt(),
          plan.path("allow_downgrade").asBooleanOpt(),
          plan.path("not_after").asStringOpt().map(Instant::parse),
          plan.path("approval").path("author").asStringOpt(),
          plan.path("window").path("on_close").asStringOpt());
    } catch (JacksonException | DateTimeException _) {
      return new StoredUpgradePlan(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }
  }
}
