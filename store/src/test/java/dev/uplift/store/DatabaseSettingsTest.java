package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class DatabaseSettingsTest {
  @Test
  void noPasswordIsShown() {
    assertThat(new DatabaseSettings("jdbc:postgresql://db/fleet?password=hunter2&ssl=true", "ann", "secret"))
        .hasToString("jdbc:postgresql://db/fleet?password=…&ssl=true as ann");
    assertThat(new DatabaseSettings("jdbc:postgresql://db/fleet?sslpassword=hunter2", "ann", "secret"))
        .hasToString("jdbc:postgresql://db/fleet?sslpassword=… as ann");
    assertThat(new DatabaseSettings("jdbc:h2:file:/data/fleet;PASSWORD=hunter2;WRITE_DELAY=0", "ann", "secret"))
        .hasToString("jdbc:h2:file:/data/fleet;PASSWORD=…;WRITE_DELAY=0 as ann");
  }

  @Test
  void aConnectionOfH2LastsAMinuteBecauseItKeepsPlansOfTablesThatWereEmpty() {
    try (HikariDataSource pool = ConnectionPools.open(DatabaseEngine.H2.newDatabase())) {
      assertThat(Duration.ofMillis(pool.getMaxLifetime())).isEqualTo(Duration.ofMinutes(1));
    }
  }
}
