package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.ServerProgram;
import dev.uplift.api.testing.ServerProgram.Result;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.tenant.TenantRepository;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The server with the argument `migrate`, as a process of its own.
@Timeout(120)
final class MigrateProgramTest {
  @TempDir private Path folder;

  @Test
  void tablesAreCreatedWithTheSettingsOfTheDatabaseAlone() throws Exception {
    DatabaseSettings file = DatabaseSettings.h2File(folder.resolve("uplift"));
    Map<String, String> environment = Map.of("UPLIFT_DATABASE_URL", file.url());

    Result first = ServerProgram.run(folder, "migrate", environment);
    Result second = ServerProgram.run(folder, "migrate", environment);

    assertThat(first).isEqualTo(new Result(0, "the tables are at version 1 now\n"));
    assertThat(second).isEqualTo(new Result(0, "the tables are at version 1 already\n"));
    try (Database database = Database.open(file)) {
      assertThat(database.repository(TenantRepository.class).put("acme", "")).isNotNull();
    }
  }

  @Test
  void aDatabaseThatIsAwayIsNamed() throws Exception {
    String url = "jdbc:postgresql://127.0.0.1:1/uplift";

    Result result = ServerProgram.run(folder, "migrate", Map.of("UPLIFT_DATABASE_URL", url));

    assertThat(result.exitCode()).isEqualTo(69);
    assertThat(result.output()).contains(url);
  }

  @Test
  void everythingThatIsWrongIsSaid() throws Exception {
    Map<String, String> environment = Map.of("UPLIFT_DATABASE_URL", "mysql:uplift", "UPLIFT_DATABASE_CONNECTIONS", "1");

    Result result = ServerProgram.run(folder, "migrate", environment);

    assertThat(result.exitCode()).isEqualTo(78);
    assertThat(result.output()).contains("expected jdbc:h2", "expected 2 to 200");
  }
}
