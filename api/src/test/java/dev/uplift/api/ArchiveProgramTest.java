package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.ServerProgram;
import dev.uplift.api.testing.ServerProgram.Result;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The server with the argument `archive`, as a process of its own.
@Timeout(120)
final class ArchiveProgramTest {
  @TempDir private Path folder;

  private final ServerHome home = new ServerHome();

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void whatIsOldIsMovedToFilesOnceAndTheProgramEnds() throws Exception {
    DatabaseSettings file = databaseWithAnOldUpgrade();
    Path archive = folder.resolve("archive");

    Result first = run(Map.of("UPLIFT_DATABASE_URL", file.url(), "UPLIFT_ARCHIVE_FOLDER", archive.toString()));
    Result second = run(Map.of("UPLIFT_DATABASE_URL", file.url(), "UPLIFT_ARCHIVE_FOLDER", archive.toString()));

    assertThat(first).isEqualTo(new Result(0, "archived 1 upgrades: 1 rows in 1 files\n"));
    assertThat(second).isEqualTo(new Result(0, "nothing to archive\n"));
    try (Stream<Path> files = Files.list(archive.resolve("acme"))) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .hasSize(2)
          .allMatch(name -> name.startsWith("upgrades-"));
    }
  }

  @Test
  void withoutAFolderItSaysWhatIsMissing() throws Exception {
    Result result = run(Map.of());

    assertThat(result.exitCode()).isEqualTo(78);
    assertThat(result.output()).contains("UPLIFT_ARCHIVE_FOLDER is not set");
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() throws Exception {
    DatabaseSettings file = databaseWithAnOldUpgrade();
    Path blocked = Files.createFile(folder.resolve("blocked"));

    Result result = run(Map.of("UPLIFT_DATABASE_URL", file.url(), "UPLIFT_ARCHIVE_FOLDER", blocked.toString()));

    assertThat(result.exitCode()).isEqualTo(74);
    assertThat(result.output()).contains(blocked.toString());
  }

  private DatabaseSettings databaseWithAnOldUpgrade() {
    DatabaseSettings file = DatabaseSettings.h2File(folder.resolve("uplift"));
    try (Database database = Database.open(file, () -> Instant.now().minus(Duration.ofDays(500)))) {
      var _ = database.repository(TenantRepository.class).put("acme", "");
      UpgradeRepository upgrades = database.repository(UpgradeRepository.class);
      DeviceId gate = new DeviceId("acme", "gate");
      upgrades.createIfAbsent(new NewUpgrade("u-1", gate, new Release("os", "2"), "ann", "{}", "run"));
      upgrades.recordEnd("acme", "u-1", new UpgradeEnd(Outcome.UPGRADED, Optional.empty(), "[]"));
    }
    return file;
  }

  private Result run(Map<String, String> settings) throws Exception {
    Map<String, String> environment = home.environment();
    environment.putAll(settings);
    return ServerProgram.run(folder, "archive", environment);
  }
}
