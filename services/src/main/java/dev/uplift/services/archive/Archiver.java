package dev.uplift.services.archive;

import dev.uplift.store.Database;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.archive.ArchiveBatch;
import dev.uplift.store.archive.ArchiveBatch.Position;
import dev.uplift.store.archive.ArchiveRepository;
import dev.uplift.store.archive.ArchivedKind;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.tenant.TenantRow;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves what ended long ago from the tables to files.
///
/// A batch is one transaction: its rows are locked, written to a file of their own, and deleted once that file is
/// complete and on the disk. So at any moment of a kill, each row is in the table or in a complete file. After a kill
/// between file and commit it is in both, and the next run writes it to another file. Servers may run this at the same
/// time: what one has locked, the others skip.
@Singleton
public final class Archiver {
  private static final Logger LOG = LoggerFactory.getLogger(Archiver.class);
  private static final DateTimeFormatter FILE_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /// With five commands of 8 KB each some 20 MB.
  private static final int UPGRADES_PER_FILE = 500;

  private static final int AUDIT_ENTRIES_PER_FILE = 10_000;

  private final Database database;
  private final TenantRepository tenants;
  private final ArchiveRepository archive;
  private final ArchiveSettings settings;
  private final InstantSource clock;

  public Archiver(
      Database database,
      TenantRepository tenants,
      ArchiveRepository archive,
      ArchiveSettings settings,
      InstantSource clock) {
    this.database = database;
    this.tenants = tenants;
    this.archive = archive;
    this.settings = settings;
    this.clock = clock;
  }

  /// Archives all that is old enough, or a part of it if the thread is interrupted. To be called periodically, and safe
  /// to repeat. Does nothing if no folder is set.
  ///
  /// @throws java.io.UncheckedIOException if a file cannot be written; its rows are still in the tables
  public ArchiveResult run() {
    ArchiveResult result = ArchiveResult.NOTHING;
    if (settings.folder().isPresent()) {
      Path folder = settings.folder().get();
      for (TenantRow tenant : allTenants()) {
        result = new Run(folder, tenant.name(), result).archiveAll();
      }
    }
    if (!result.isEmpty()) {
      LOG.info("{}", result);
    }
    return result;
  }

  private List<TenantRow> allTenants() {
    List<TenantRow> all = new ArrayList<>();
    for (Optional<PageRequest> at = Optional.of(PageRequest.first(PageRequest.MAX_LIMIT)); at.isPresent(); ) {
      Page<TenantRow> page = tenants.listWithDeleted(at.get());
      all.addAll(page.rows());
      at = at.get().next(page);
    }
    return all;
  }

  /// The records of one tenant.
  private final class Run {
    private final Path folder;
    private final String tenant;
    private final Instant endedBefore = clock.instant().minus(settings.after());
    private final Instant auditBefore = clock.instant().minus(settings.auditAfter());
    private ArchiveResult result;

    Run(Path folder, String tenant, ArchiveResult before) {
      this.folder = folder;
      this.tenant = tenant;
      this.result = before;
    }

    /// Rollouts first: they keep their upgrades and their barriers in the tables.
    ArchiveResult archiveAll() {
      archiveEach(() -> archive.lockRollout(tenant, endedBefore));
      archiveEach(() -> archive.lockBarrier(tenant, endedBefore));
      long moved;
      do {
        // A failure that is gone releases the success after it.
        moved = archiveUpgrades();
      } while (moved > 0 && !isInterrupted());
      archiveEach(() -> archive.lockAudit(tenant, auditBefore, AUDIT_ENTRIES_PER_FILE));
      return result;
    }

    private void archiveEach(Supplier<ArchiveBatch> lock) {
      ArchiveBatch batch;
      do {
        batch = move(lock);
      } while (!batch.isEmpty() && !isInterrupted());
    }

    private static boolean isInterrupted() {
      return Thread.currentThread().isInterrupted();
    }

    private long archiveUpgrades() {
      long moved = 0;
      Optional<Position> from = Optional.empty();
      do {
        Optional<Position> after = from;
        ArchiveBatch batch = move(() -> archive.lockUpgrades(tenant, after, endedBefore, UPGRADES_PER_FILE));
        moved += batch.ids().size();
        from = batch.end();
      } while (from.isPresent() && !isInterrupted());
      return moved;
    }

    /// Returns the batch that was moved; empty if there was nothing.
    private ArchiveBatch move(Supplier<ArchiveBatch> lock) {
      String id = "%s-%s".formatted(FILE_TIME.format(clock.instant()), UUID.randomUUID().toString().substring(0, 8));
      record Moved(ArchiveBatch batch, long rows) {}
      Moved moved =
          database.inTransaction(() -> {
            ArchiveBatch batch = lock.get();
            return new Moved(batch, batch.isEmpty() ? 0 : move(batch, id));
          });
      if (!moved.batch().isEmpty()) {
        result = result.plus(moved.batch().kind(), moved.batch().ids().size(), moved.rows());
      }
      return moved.batch();
    }

    private long move(ArchiveBatch batch, String id) {
      try (ArchiveFile file = ArchiveFile.create(folder, tenant, word(batch.kind()) + "-" + id)) {
        archive.copy(batch, file);
        file.complete();
        int deleted = archive.delete(batch);
        if (deleted != file.rows()) {
          throw new IllegalStateException(
              "%s has %d rows, and %d were to be deleted: nothing is".formatted(file.path(), file.rows(), deleted));
        }
        return deleted;
      }
    }
  }

  private static String word(ArchivedKind kind) {
    return kind.toString().toLowerCase(Locale.ROOT);
  }
}
