package dev.uplift.e2e;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The rows about a rollout that has ended, for comparison with another one.
///
/// @param devices wave, state, result, first error and attempts of each
/// @param resultNumbers in ascending order
/// @param decisions wave and kind of each, and the reason of a wait, in their order
/// @param upgrades number of rows per device
/// @param prepareCommands number of `prepare` commands per device
/// @param upgradeCommands number of `upgrade` commands per device
/// @param maxConcurrentUpgrades the most upgrades of one device, of any rollout, at the same time
record RolloutTableContents(
    Map<String, String> devices,
    List<Long> resultNumbers,
    List<String> decisions,
    Map<String, Long> upgrades,
    Map<String, Long> prepareCommands,
    Map<String, Long> upgradeCommands,
    int maxConcurrentUpgrades) {

  /// @param database of an idle server
  /// @param rollout of the package of the same name
  static RolloutTableContents read(String database, String user, String password, String rollout) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database, user, password)) {
      return new RolloutTableContents(
          texts(connection, DEVICES, rollout),
          list(connection, NUMBERS, rollout).stream().map(Long::valueOf).toList(),
          list(connection, DECISIONS, rollout),
          counts(connection, UPGRADES, rollout),
          counts(connection, COMMANDS.formatted("prepare"), rollout),
          counts(connection, COMMANDS.formatted("upgrade"), rollout),
          1 + list(connection, OVERLAPS, rollout).size());
    }
  }

  private static final String DEVICES =
      """
      SELECT device, wave || ' ' || state || ' ' || COALESCE(result, '-') || ' '
        || COALESCE(error_code, '-') || ' ' || attempt
      FROM rollout_target WHERE rollout = ?\
      """;

  private static final String NUMBERS =
      """
      SELECT 'number', result_number FROM rollout_target WHERE rollout = ?
      ORDER BY result_number\
      """;

  private static final String DECISIONS =
      """
      SELECT 'decision', wave || ' ' || decision || CASE WHEN decision = 'wait' THEN ' ' || reason ELSE '' END
      FROM rollout_decision WHERE rollout = ?
      ORDER BY number\
      """;

  private static final String UPGRADES = "SELECT device, COUNT(*) FROM upgrade WHERE package = ? GROUP BY device";

  private static final String OVERLAPS =
      """
      SELECT u.id, o.id FROM upgrade u JOIN upgrade o
        ON o.tenant = u.tenant AND o.device = u.device AND o.id <> u.id
          AND o.started_at < u.ended_at AND u.started_at < o.ended_at
      WHERE u.package = ?\
      """;

  private static final String COMMANDS =
      """
      SELECT u.device, COUNT(*) FROM command c
      JOIN upgrade u ON u.tenant = c.tenant AND u.id = c.upgrade
      WHERE u.package = ? AND c.step = '%s' GROUP BY u.device\
      """;

  private static Map<String, String> texts(Connection connection, String sql, String about) throws SQLException {
    Map<String, String> found = new TreeMap<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, about);
      ResultSet rows = statement.executeQuery();
      while (rows.next()) {
        found.put(rows.getString(1), rows.getString(2));
      }
    }
    return found;
  }

  private static Map<String, Long> counts(Connection connection, String sql, String about) throws SQLException {
    Map<String, Long> found = new TreeMap<>();
    texts(connection, sql, about).forEach((device, count) -> found.put(device, Long.valueOf(count)));
    return found;
  }

  private static List<String> list(Connection connection, String sql, String about) throws SQLException {
    List<String> found = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, about);
      ResultSet rows = statement.executeQuery();
      while (rows.next()) {
        found.add(rows.getString(2));
      }
    }
    return found;
  }
}
