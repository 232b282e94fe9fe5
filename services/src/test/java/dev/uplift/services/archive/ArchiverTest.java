package dev.uplift.services.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.archive.ArchiveRepository;
import dev.uplift.store.archive.ArchivedKind;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.audit.AuditRepository;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class ArchiverTest {
  private static final Instant BEGIN = Instant.parse("2026-11-23T07:00:00Z");
  private static final Release OS = new Release("os", "1.5");
  private static final HostId LEFT = new HostId("left");

  @TempDir Path folder = Path.of("");

  private Instant now = BEGIN;
  private final Database database = Database.open(DatabaseSettings.h2InMemory(), () -> now);
  private final UpgradeRepository upgrades = database.repository(UpgradeRepository.class);
  private final CommandRepository commands = database.repository(CommandRepository.class);

  @BeforeEach
  void createTenants() {
    database.repository(TenantRepository.class).put("acme", "");
    database.repository(TenantRepository.class).put("globex", "");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void whatIsOldIsInFilesThatNeedNothingButGunzip() throws Exception {
    upgrade("acme", "u1");
    upgrade("acme", "u2");
    upgrade("globex", "u1");
    database.repository(AuditRepository.class).append(new AuditEntry("acme", "ann", "device.put", "device/a", "", ""));
    now = BEGIN.plus(Duration.ofDays(500));
    upgrade("acme", "young");

    ArchiveResult result = archiver(folder).run();

    assertThat(result.records()).isEqualTo(Map.of(ArchivedKind.UPGRADES, 3L, ArchivedKind.AUDIT, 1L));
    assertThat(result).hasToString("archived 3 upgrades, 1 audit: 7 rows in 3 files");
    assertThat(lines("acme"))
        .extracting(line -> line.path("table").asString() + " " + line.path("row").path("upgrade").asString("-"))
        .containsExactlyInAnyOrder("upgrade -", "upgrade -", "command u1", "command u2", "audit -");
    JsonNode command =
        lines("acme").stream()
            .filter(line -> line.path("table").asString().equals("command"))
            .findFirst()
            .orElseThrow();
    assertThat(command.path("row").path("body").asString()).isEqualTo("do it");
    assertThat(command.path("row").path("created_at").asString()).isEqualTo("2026-11-23T07:00:00Z");
    assertThat(upgrades.find("acme", "u1")).isEmpty();
    assertThat(upgrades.find("acme", "young")).isPresent();
    assertThat(archiver(folder).run().isEmpty()).isTrue();
    for (Path file : files(".jsonl.gz")) {
      assertThat(Files.readString(file.resolveSibling(file.getFileName() + ".sha256")))
          .isEqualTo(sha256(file) + "  " + file.getFileName() + "\n");
    }
  }

  @Test
  void aRowLeavesOnlyOnceItsFileIsComplete() throws IOException {
    upgrade("acme", "u1");
    now = BEGIN.plus(Duration.ofDays(500));
    Path noFolder = Files.writeString(folder.resolve("a-file"), "");

    assertThatThrownBy(() -> archiver(noFolder).run()).isInstanceOf(UncheckedIOException.class);

    assertThat(upgrades.find("acme", "u1")).isPresent();
    assertThat(commands.timeline("acme", "u1")).hasSize(1);
  }

  @Test
  void aRunThatIsKilledBeforeTheCommitIsRepeated() throws Exception {
    upgrade("acme", "u1");
    now = BEGIN.plus(Duration.ofDays(500));

    database.inRolledBackTransaction(() -> archiver(folder).run());
    assertThat(upgrades.find("acme", "u1")).isPresent();
    assertThat(files(".jsonl.gz")).hasSize(1);

    archiver(folder).run();
    assertThat(upgrades.find("acme", "u1")).isEmpty();
    assertThat(files(".jsonl.gz")).hasSize(2);
    assertThat(lines("acme").stream().distinct()).hasSize(2);
    assertThat(files(".part")).isEmpty();
  }

  @Test
  void withoutAFolderTheTablesKeepEverything() {
    upgrade("acme", "u1");
    now = BEGIN.plus(Duration.ofDays(5000));

    Archiver archiver =
        new Archiver(
            database,
            database.repository(TenantRepository.class),
            database.repository(ArchiveRepository.class),
            ArchiveSettings.NONE,
            clock());

    assertThat(archiver.run().isEmpty()).isTrue();
    assertThat(upgrades.find("acme", "u1")).isPresent();
  }

  private InstantSource clock() {
    return () -> now;
  }

  private Archiver archiver(Path to) {
    return new Archiver(
        database,
        database.repository(TenantRepository.class),
        database.repository(ArchiveRepository.class),
        new ArchiveSettings(Optional.of(to), Duration.ofDays(400), Duration.ofDays(400)),
        clock());
  }

  private void upgrade(String tenant, String id) {
    upgrades.createIfAbsent(new NewUpgrade(id, new DeviceId(tenant, "site-" + id), OS, "ann", "{}", "run-1"));
    commands.createIfAbsent(
        new CommandKey(tenant, id, LEFT, Step.PREPARE, 1),
        new Release("os", "1"),
        new WaitingActivity("upgrade/site", "7"),
        basis -> new SignedCommand(basis.id(), "do it", "signed"));
    upgrades.recordEnd(tenant, id, new UpgradeEnd(Outcome.UPGRADED, Optional.empty(), "[]"));
  }

  private List<Path> files(String ending) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  private List<JsonNode> lines(String tenant) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (Path file : files(".jsonl.gz")) {
      if (file.startsWith(folder.resolve(tenant))) {
        try (var in = new GZIPInputStream(Files.newInputStream(file))) {
          new String(in.readAllBytes(), UTF_8).lines().map(JsonMapper.shared()::readTree).forEach(lines::add);
        }
      }
    }
    return lines;
  }

  private static String sha256(Path file) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }
}
