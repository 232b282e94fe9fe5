package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class CountedConnectionsTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(CountedConnections.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final JdbcDataSource source = new JdbcDataSource();
  private final DatabaseCounts counts = new DatabaseCounts();

  @BeforeEach
  void listen() {
    source.setURL("jdbc:h2:mem:");
    lines.start();
    logger.setLevel(Level.WARN);
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
    logger.setLevel(null);
  }

  @Test
  void aSlowStatementIsCountedAndLoggedWithoutItsValues() throws Exception {
    select(Duration.ZERO, "a secret");

    assertThat(counts.statements()).isOne();
    assertThat(counts.slowStatements()).isOne();
    assertThat(counts.statementTime()).isPositive();
    assertThat(lines.list)
        .singleElement()
        .satisfies(line ->
            assertThat(line.getFormattedMessage()).startsWith("a statement took ").endsWith(" ms: SELECT ? || 'x'"));
  }

  @Test
  void aFastStatementIsOnlyCounted() throws Exception {
    select(Duration.ofDays(1), "a secret");

    assertThat(counts.statements()).isOne();
    assertThat(counts.slowStatements()).isZero();
    assertThat(counts.statementTime()).isPositive();
    assertThat(lines.list).isEmpty();
  }

  private void select(Duration slow, String value) throws SQLException {
    try (Connection connection = CountedConnections.of(source, counts, slow).getConnection();
        PreparedStatement statement = connection.prepareStatement("SELECT ?\n  || 'x'")) {
      statement.setString(1, value);
      statement.executeQuery().close();
    }
  }
}
