package dev.uplift.store.archive;

import java.util.List;

/// A kind of record that is archived as a whole, with the rows that belong to it.
public enum ArchivedKind {
  /// Upgrades with their commands and late outcomes.
  UPGRADES,
  /// Rollouts with their waves, devices and decisions.
  ROLLOUTS,
  /// Barriers with their hosts.
  BARRIERS,
  /// Entries of the audit log.
  AUDIT;

  /// A form that H2 finds rows by an index with, too: it does not for `= ANY (?)`, nor for an array whose type it
  /// cannot tell.
  private static final String AMONG_IDS = " IN (SELECT id FROM UNNEST(CAST(? AS VARCHAR ARRAY)) AS ids (id))";

  private static final String AMONG_NUMBERS = " IN (SELECT id FROM UNNEST(CAST(? AS BIGINT ARRAY)) AS ids (id))";

  /// The rows of one table.
  ///
  /// @param condition with the tenant, as often as `tenants` says, and the ids as its parameters
  record Rows(String table, String condition, int tenants) {
    Rows(String table, String condition) {
      this(table, condition, 1);
    }
  }

  /// The SQL type of the ids.
  String idType() {
    return this == AUDIT ? "BIGINT" : "VARCHAR";
  }

  /// In the order in which they refer to one another. A cancel comes before what it cancels: rows are deleted in the
  /// opposite order.
  List<Rows> rows() {
    return switch (this) {
      case UPGRADES ->
          List.of(
              new Rows("upgrade", "tenant = ? AND id" + AMONG_IDS),
              // With `IS NULL` H2 would read all commands of the tenant by the index of cancels.
              new Rows("command", "tenant = ? AND upgrade" + AMONG_IDS + " AND COALESCE(cancelled_by, '') = ''"),
              new Rows("command", "tenant = ? AND upgrade" + AMONG_IDS + " AND COALESCE(cancelled_by, '') <> ''"),
              new Rows(
                  "late_outcome",
                  "tenant = ? AND command IN (SELECT id FROM command WHERE tenant = ? AND upgrade" + AMONG_IDS + ")",
                  2));
      case ROLLOUTS ->
          List.of(
              new Rows("rollout", "tenant = ? AND id" + AMONG_IDS),
              new Rows("rollout_wave", "tenant = ? AND rollout" + AMONG_IDS),
              new Rows("rollout_decision", "tenant = ? AND rollout" + AMONG_IDS),
              new Rows("rollout_exclusion", "tenant = ? AND rollout" + AMONG_IDS),
              new Rows("rollout_target", "tenant = ? AND rollout" + AMONG_IDS));
      case BARRIERS ->
          List.of(
              new Rows("barrier", "tenant = ? AND name" + AMONG_IDS),
              new Rows("barrier_host", "tenant = ? AND barrier" + AMONG_IDS));
      case AUDIT -> List.of(new Rows("audit", "tenant = ? AND number" + AMONG_NUMBERS));
    };
  }
}
