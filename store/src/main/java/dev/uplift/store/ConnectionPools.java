package dev.uplift.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// How the two databases are connected to, each with its reasons.
final class ConnectionPools {
  private static final List<String> H2_SETTINGS =
      List.of(
          "MODE=PostgreSQL",
          "DATABASE_TO_LOWER=TRUE",
          "DEFAULT_NULL_ORDERING=HIGH",
          // Or up to 7 % of the acknowledged commits are gone after a kill.
          "WRITE_DELAY=0",
          // With each commit written at once, the space of the last 45 s of them (the default) is
          // a gigabyte.
          "RETENTION_TIME=5000",
          // A JDBC timestamp would else be ambiguous in the hour in which summer time ends.
          "TIME ZONE=UTC",
          // All of our statements stay parsed; of the eight that do by default none is there when
          // it comes again.
          "QUERY_CACHE_SIZE=256",
          // Errors come as exceptions; no second file beside the database says them again.
          "TRACE_LEVEL_FILE=0",
          // Closed by us, after the last user of it, and not by a shutdown hook at any time.
          "DB_CLOSE_ON_EXIT=FALSE");

  /// A statement of H2 keeps the plan of its first use as long as its connection lasts. If its table was empty then, it
  /// may read the whole tenant from an index that has all of its columns, instead of one row by the primary key.
  private static final Duration H2_PLANS_LAST = Duration.ofMinutes(1);

  private ConnectionPools() {}

  static HikariDataSource open(DatabaseSettings settings) {
    var config = new HikariConfig();
    config.setPoolName("uplift");
    config.setJdbcUrl(url(settings));
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    config.setMaximumPoolSize(settings.connections());
    DatabaseTimeouts timeouts = settings.timeouts();
    config.setConnectionTimeout(timeouts.connection().toMillis());
    config.setValidationTimeout(Duration.ofSeconds(2).toMillis());
    if (settings.isShared()) {
      config.addDataSourceProperty("connectTimeout", Math.max(1, timeouts.connection().toSeconds()));
      config.addDataSourceProperty("socketTimeout", timeouts.answer().toSeconds());
      config.addDataSourceProperty("options", timeouts.sessionOptions());
      config.addDataSourceProperty("tcpKeepAlive", "true");
      config.addDataSourceProperty("reWriteBatchedInserts", "true");
      config.addDataSourceProperty("ApplicationName", "uplift");
    } else {
      // An H2 that was closed under its connections, as by a full disk, opens with a new one; its
      // `isValid` and its states say nothing of it that the pool would understand.
      config.setConnectionTestQuery("SELECT 1");
      config.setExceptionOverride(new EvictBrokenConnections());
      config.setMaxLifetime(H2_PLANS_LAST.toMillis());
    }
    return new HikariDataSource(config);
  }

  private static final class EvictBrokenConnections implements SQLExceptionOverride {
    @java.lang.Override
    public Override adjudicate(SQLException failure) {
      String state = failure.getSQLState();
      return state != null && DatabaseErrors.isH2Unavailable(state) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
  }

  /// The address with what we need of the database beyond it. What it says itself stays.
  static String url(DatabaseSettings settings) {
    if (settings.isShared()) {
      return settings.url();
    }
    // An interrupted thread closes a plain file under all others. `retry:` would bear it, too, but
    // swallows the interrupt.
    var url = new StringBuilder(settings.url().replaceFirst("^jdbc:h2:file:", "jdbc:h2:async:"));
    String given = settings.url().toUpperCase(Locale.ROOT);
    String lockTimeout = "LOCK_TIMEOUT=" + settings.timeouts().lock().toMillis();
    for (String setting : Stream.concat(H2_SETTINGS.stream(), Stream.of(lockTimeout)).toList()) {
      if (!given.contains(";" + setting.substring(0, setting.indexOf('=') + 1))) {
        url.append(';').append(setting);
      }
    }
    return url.toString();
  }
}
