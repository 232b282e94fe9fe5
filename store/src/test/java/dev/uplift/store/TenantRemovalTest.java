package dev.uplift.store;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.store.enrolment.EnrolmentRepository;
import dev.uplift.store.tenant.TenantContents;
import dev.uplift.store.tenant.TenantRemovalRepository;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A tenant that has a row in every table that has a column `tenant`, whatever tables there are.
final class TenantRemovalTest extends DatabaseScenario {
  private static final Set<String> KEPT = Set.of("audit");

  private TenantRemovalRepository removal = database.repository(TenantRemovalRepository.class);
  private EnrolmentRepository enrolments = database.repository(EnrolmentRepository.class);
  private String other = "";

  @BeforeEach
  void fillTables() throws SQLException {
    removal = database.repository(TenantRemovalRepository.class);
    enrolments = database.repository(EnrolmentRepository.class);
    other = newTenant();
    try (Connection connection = connect()) {
      fill(connection, tenant);
      fill(connection, other);
    }
  }

  @Test
  void nothingButTheAuditIsLeftOfIt() throws SQLException {
    Map<String, Long> before = rows(tenant);
    assertThat(before.values()).doesNotContain(0L);

    int batches = 0;
    while (removal.deleteBatch(tenant, 1) > 0) {
      batches++;
    }
    enrolments.revokeAll(tenant, "ann");
    boolean hasNoKeys = enrolments.deleteKeys(tenant);

    assertThat(hasNoKeys).isTrue();
    assertThat(batches).isEqualTo(before.values().stream().mapToLong(count -> count).sum() - 1 - KEPT.size());
    rows(tenant).forEach((table, count) -> assertThat(count).as(table).isEqualTo(KEPT.contains(table) ? 1 : 0));
    assertThat(rows(other)).isEqualTo(before);
  }

  @Test
  void aKeyStaysAsLongAsItsJwtIsValid() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "UPDATE host_credential SET jwt_expires_at = TIMESTAMP WITH TIME ZONE '%s' WHERE tenant = '%s'"
              .formatted("2100-01-01 00:00:00+00:00", tenant));
    }

    enrolments.revokeAll(tenant, "ann");

    assertThat(enrolments.deleteKeys(tenant)).isFalse();
    assertThat(enrolments.listRevoked()).extracting(key -> key.key()).contains("x-" + tenant);
  }

  @Test
  void itsContentsAreCounted() {
    assertThat(removal.countContents(tenant)).isEqualTo(new TenantContents(1, 1, 1, 1, 1, 1));
    assertThat(removal.findRunningUpgrade(tenant)).isEmpty();
    assertThat(removal.findOpenRollout(tenant)).contains("x");
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(ConnectionPools.url(settings), settings.user(), settings.password());
  }

  /// Inserts a row into each table, and a second command, which cancels the first.
  private static void fill(Connection connection, String tenant) throws SQLException {
    Deque<String> left = new ArrayDeque<>(tables(connection));
    // A table whose row would refer to one that is not there yet comes again later.
    for (int attempts = 0; !left.isEmpty(); attempts++) {
      assertThat(attempts).as("tables that could not be filled: %s", left).isLessThan(1_000);
      String table = left.removeFirst();
      try {
        insert(connection, table, tenant, Map.of());
      } catch (SQLException _) {
        left.addLast(table);
      }
    }
    insert(connection, "command", tenant, Map.of("id", "'y'", "step", "'y'", "cancelled_by", "'x'"));
  }

  private static List<String> tables(Connection connection) throws SQLException {
    return query(
        connection,
        "SELECT table_name FROM information_schema.columns WHERE LOWER(column_name) = 'tenant'"
            + " AND LOWER(table_schema) = 'public'",
        row -> row.getString(1).toLowerCase(Locale.ROOT));
  }

  private static void insert(Connection connection, String table, String tenant, Map<String, String> values)
      throws SQLException {
    Map<String, String> row = new TreeMap<>();
    query(
        connection,
        "SELECT column_name, data_type FROM information_schema.columns WHERE LOWER(table_name) = '"
            + table
            + "' AND LOWER(table_schema) = 'public' AND is_nullable = 'NO' AND is_identity = 'NO'",
        column -> row.put(column.getString(1).toLowerCase(Locale.ROOT), value(column.getString(2))));
    row.put("tenant", "'" + tenant + "'");
    row.computeIfPresent("nkey", (_, _) -> "'x-" + tenant + "'");
    row.putAll(values);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO %s (%s) VALUES (%s)"
              .formatted(table, String.join(", ", row.keySet()), row.values().stream().collect(joining(", "))));
    }
  }

  private static String value(String type) {
    String name = type.toLowerCase(Locale.ROOT);
    if (name.startsWith("timestamp")) {
      return "TIMESTAMP WITH TIME ZONE '2020-01-01 00:00:00+00:00'";
    }
    return switch (name) {
      case "boolean" -> "FALSE";
      case "bigint", "integer" -> "1";
      default -> "'x'";
    };
  }

  private static Map<String, Long> rows(String tenant) throws SQLException {
    Map<String, Long> counts = new TreeMap<>();
    try (Connection connection = connect()) {
      for (String table : tables(connection)) {
        String where = " WHERE tenant = '" + tenant + "'";
        counts.put(table, query(connection, "SELECT COUNT(*) FROM " + table + where, row -> row.getLong(1)).getFirst());
      }
    }
    return counts;
  }

  private interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private static <T> List<T> query(Connection connection, String sql, RowReader<T> reader) throws SQLException {
    List<T> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        found.add(reader.read(rows));
      }
    }
    return found;
  }
}
