package dev.uplift.store.release;

import dev.uplift.fleet.Release;
import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.Cursor;
import dev.uplift.store.Database;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.PagedQuery;
import dev.uplift.store.RowReader;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/// The table `release`. What is in it never changes, but for who has signed it: keys come and go.
public final class ReleaseRepository {
  private static final RowMapper<ReleaseRow> ROW = RowReader.mapper(ReleaseRepository::read);

  private final Database database;
  private final InstantSource clock;

  public ReleaseRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The release stands in the records, unless another one is in its place.
  ///
  /// @throws NoSuchTenant if there is none for it
  public PublishReleaseResult put(NewRelease release) {
    return database.withHandle(handle -> {
      boolean isNew = insert(handle, release);
      Optional<ReleaseRow> found = find(handle, release.tenant(), release.release());
      if (found.isEmpty()) {
        return new PublishReleaseResult.SequenceTaken(findBySequence(handle, release));
      }
      ReleaseRow row = found.get();
      if (isNew) {
        return new PublishReleaseResult.Recorded(row);
      }
      if (!row.manifest().equals(release.manifest())) {
        return new PublishReleaseResult.ContentDiffers(row);
      }
      return row.signature().equals(release.signature())
          ? new PublishReleaseResult.Unchanged(row)
          : new PublishReleaseResult.SignaturesReplaced(replaceSignature(handle, release));
    });
  }

  private static ReleaseRow replaceSignature(Handle handle, NewRelease release) {
    handle
        .createUpdate(
            """
            UPDATE release SET signature = :signature
            WHERE tenant = :tenant AND package = :package AND version = :version\
            """)
        .bind("signature", release.signature())
        .bind("tenant", release.tenant())
        .bind("package", release.release().packageName())
        .bind("version", release.release().version())
        .execute();
    return find(handle, release.tenant(), release.release()).orElseThrow();
  }

  private boolean insert(Handle handle, NewRelease release) {
    return handle
            .createUpdate(
                """
                INSERT INTO release (tenant, package, version, kind, sequence, manifest, signature,
                  digest, size_bytes, created_at, recorded_at)
                VALUES (:tenant, :package, :version, :kind, :sequence, :manifest, :signature,
                  :digest, :size, :created, :now)
                ON CONFLICT DO NOTHING\
                """)
            .bind("tenant", release.tenant())
            .bind("package", release.release().packageName())
            .bind("version", release.release().version())
            .bind("kind", release.kind())
            .bind("sequence", release.sequence())
            .bind("manifest", release.manifest())
            .bind("signature", release.signature())
            .bind("digest", release.artifact().map(ReleaseRow.Artifact::digest).orElse(null))
            .bind("size", release.artifact().map(ReleaseRow.Artifact::sizeBytes).orElse(null))
            .bind("created", release.createdAt())
            .bind("now", clock.instant())
            .execute()
        == 1;
  }

  private static ReleaseRow findBySequence(Handle handle, NewRelease release) {
    return handle
        .createQuery(
            """
            SELECT * FROM release
            WHERE tenant = :tenant AND package = :package AND sequence = :sequence\
            """)
        .bind("tenant", release.tenant())
        .bind("package", release.release().packageName())
        .bind("sequence", release.sequence())
        .map(ROW)
        .findOne()
        .orElseThrow(() -> new ConcurrentModification("release " + release.release()));
  }

  public Optional<ReleaseRow> find(String tenant, Release release) {
    return database.withHandle(handle -> find(handle, tenant, release));
  }

  private static Optional<ReleaseRow> find(Handle handle, String tenant, Release release) {
    return handle
        .createQuery(
            """
            SELECT * FROM release
            WHERE tenant = :tenant AND package = :package AND version = :version\
            """)
        .bind("tenant", tenant)
        .bind("package", release.packageName())
        .bind("version", release.version())
        .map(ROW)
        .findOne();
  }

  /// The one with the highest sequence.
  public Optional<ReleaseRow> findNewest(String tenant, String packageName) {
    return list(tenant, Optional.of(packageName), PageRequest.first(1)).rows().stream().findFirst();
  }

  /// By package, then newest first.
  ///
  /// @param packageName empty for all
  public Page<ReleaseRow> list(String tenant, Optional<String> packageName, PageRequest page) {
    PagedQuery pagedQuery =
        new PagedQuery(
                "tenant, package, sequence DESC", "SELECT * FROM release WHERE tenant = :tenant")
            .bind("tenant", tenant)
            .andEquals("package", packageName);
    Cursor.of(page, 2)
        .ifPresent(end ->
            pagedQuery
                .and("(package > :after OR (package = :after AND sequence < :before))")
                .bind("after", end.part(0))
                .bind("before", end.longValue(1)));
    List<ReleaseRow> rows = database.withHandle(handle -> pagedQuery.fetch(handle, page, ROW));
    return Cursor.toPage(
        rows,
        page,
        row -> Cursor.encode(row.release().packageName(), Long.toString(row.sequence())));
  }

  private static ReleaseRow read(RowReader row) throws SQLException {
    Optional<String> digest = row.optionalText("digest");
    long sizeBytes = row.longValue("size_bytes");
    return new ReleaseRow(
        row.text("tenant"),
        new Release(row.text("package"), row.text("version")),
        row.text("kind"),
        row.longValue("sequence"),
        row.text("manifest"),
        row.text("signature"),
        digest.map(sha256 -> new ReleaseRow.Artifact(sha256, sizeBytes)),
        row.instant("created_at"),
        row.instant("recorded_at"));
  }
}
