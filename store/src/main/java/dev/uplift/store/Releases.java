package dev.uplift.store;

import dev.uplift.fleet.Release;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/// The table `release`. What is in it never changes, but for who has signed it: keys come and go.
public final class Releases {
  private static final RowMapper<ReleaseRow> ROW = Columns.as(Releases::read);

  private final Database database;
  private final InstantSource clock;

  public Releases(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The release stands in the records, unless another one is in its place.
  ///
  /// @throws NoSuchTenant if there is none for it
  public Published put(NewRelease release) {
    return database.run(handle -> {
      boolean isNew = insert(handle, release);
      Optional<ReleaseRow> found = find(handle, release.tenant(), release.release());
      if (found.isEmpty()) {
        return new Published.SequenceTaken(ofSequence(handle, release));
      }
      ReleaseRow row = found.get();
      if (isNew) {
        return new Published.Recorded(row);
      }
      if (!row.text().equals(release.text())) {
        return new Published.Different(row);
      }
      return row.signature().equals(release.signature())
          ? new Published.Same(row)
          : new Published.SignedAnew(signed(handle, release));
    });
  }

  private static ReleaseRow signed(Handle handle, NewRelease release) {
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
                INSERT INTO release (tenant, package, version, kind, sequence, content, signature,
                  digest, size_bytes, created_at, recorded_at)
                VALUES (:tenant, :package, :version, :kind, :sequence, :content, :signature,
                  :digest, :size, :created, :now)
                ON CONFLICT DO NOTHING\
                """)
            .bind("tenant", release.tenant())
            .bind("package", release.release().packageName())
            .bind("version", release.release().version())
            .bind("kind", release.kind())
            .bind("sequence", release.sequence())
            .bind("content", release.text())
            .bind("signature", release.signature())
            .bind("digest", release.artifact().map(ReleaseRow.Artifact::digest).orElse(null))
            .bind("size", release.artifact().map(ReleaseRow.Artifact::sizeBytes).orElse(null))
            .bind("created", release.createdAt())
            .bind("now", clock.instant())
            .execute()
        == 1;
  }

  private static ReleaseRow ofSequence(Handle handle, NewRelease release) {
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
        .orElseThrow(() -> new Overtaken("release " + release.release()));
  }

  public Optional<ReleaseRow> find(String tenant, Release release) {
    return database.run(handle -> find(handle, tenant, release));
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
  public Optional<ReleaseRow> newest(String tenant, String packageName) {
    return list(tenant, Optional.of(packageName), PageRequest.first(1)).rows().stream().findFirst();
  }

  /// By package, then newest first.
  ///
  /// @param packageName empty for all
  public Page<ReleaseRow> list(String tenant, Optional<String> packageName, PageRequest page) {
    Question question =
        new Question(
                "tenant, package, sequence DESC", "SELECT * FROM release WHERE tenant = :tenant")
            .with("tenant", tenant)
            .andIs("package", packageName);
    Cursor.of(page, 2)
        .ifPresent(end ->
            question
                .and("(package > :after OR (package = :after AND sequence < :before))")
                .with("after", end.part(0))
                .with("before", end.number(1)));
    List<ReleaseRow> rows = database.run(handle -> question.rows(handle, page, ROW));
    return Cursor.page(
        rows,
        page,
        row -> Cursor.write(row.release().packageName(), Long.toString(row.sequence())));
  }

  private static ReleaseRow read(Columns row) throws SQLException {
    Optional<String> digest = row.maybeText("digest");
    long sizeBytes = row.number("size_bytes");
    return new ReleaseRow(
        row.text("tenant"),
        new Release(row.text("package"), row.text("version")),
        row.text("kind"),
        row.number("sequence"),
        row.text("content"),
        row.text("signature"),
        digest.map(sha256 -> new ReleaseRow.Artifact(sha256, sizeBytes)),
        row.time("created_at"),
        row.time("recorded_at"));
  }
}
