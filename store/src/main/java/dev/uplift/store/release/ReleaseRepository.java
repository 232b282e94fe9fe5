package dev.uplift.store.release;

import dev.uplift.fleet.Release;
import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.Cursor;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import dev.uplift.store.event.TenantEventRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table `release`. A row never changes, except for its signatures: keys come and go.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class ReleaseRepository implements GenericRepository<ReleaseRow, String> {
  private final StoreClock clock;
  private final TenantEventRepository events;

  protected ReleaseRepository(StoreClock clock, TenantEventRepository events) {
    this.clock = clock;
    this.events = events;
  }

  /// Records the release, unless another one is in its place.
  ///
  /// @throws NoSuchTenant if its tenant does not exist
  public PublishReleaseResult put(NewRelease release) {
    boolean isNew = insert(release) == 1;
    Optional<ReleaseRow> found = find(release.tenant(), release.release());
    if (found.isEmpty()) {
      return new PublishReleaseResult.SequenceTaken(findBySequence(release));
    }
    ReleaseRow row = found.get();
    if (isNew) {
      events.appendPublished(release.tenant(), release.release());
      return new PublishReleaseResult.Recorded(row);
    }
    if (!row.manifest().equals(release.manifest())) {
      return new PublishReleaseResult.ContentDiffers(row);
    }
    if (row.signature().equals(release.signature())) {
      return new PublishReleaseResult.Unchanged(row);
    }
    Release id = release.release();
    setSignature(release.tenant(), id.packageName(), id.version(), release.signature());
    return new PublishReleaseResult.SignaturesReplaced(find(release.tenant(), id).orElseThrow());
  }

  private int insert(NewRelease release) {
    return insertIfAbsent(
        release.tenant(),
        release.release().packageName(),
        release.release().version(),
        release.kind(),
        release.sequence(),
        release.manifest(),
        release.signature(),
        release.artifact().map(ReleaseRow.Artifact::digest),
        release.artifact().map(ReleaseRow.Artifact::sizeBytes).orElse(null),
        release.createdAt(),
        clock.now());
  }

  @Query(
      """
      INSERT INTO release (tenant, package, version, kind, sequence, manifest, signature, digest,
        size_bytes, created_at, recorded_at)
      VALUES (:tenant, :packageName, :version, :kind, :sequence, :manifest, :signature, :digest,
        :sizeBytes, :createdAt, :now)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(
      String tenant,
      String packageName,
      String version,
      String kind,
      long sequence,
      String manifest,
      String signature,
      Optional<String> digest,
      @Nullable Long sizeBytes,
      Instant createdAt,
      Instant now);

  @Query(
      """
      UPDATE release SET signature = :signature
      WHERE tenant = :tenant AND package = :packageName AND version = :version\
      """)
  abstract int setSignature(String tenant, String packageName, String version, String signature);

  private ReleaseRow findBySequence(NewRelease release) {
    return findByTenantAndPackageNameAndSequence(release.tenant(), release.release().packageName(), release.sequence())
        .orElseThrow(() -> new ConcurrentModification("release " + release.release()));
  }

  abstract Optional<ReleaseRow> findByTenantAndPackageNameAndSequence(String tenant, String packageName, long sequence);

  public Optional<ReleaseRow> find(String tenant, Release release) {
    return findByTenantAndPackageNameAndVersion(tenant, release.packageName(), release.version());
  }

  abstract Optional<ReleaseRow> findByTenantAndPackageNameAndVersion(String tenant, String packageName, String version);

  /// The one with the highest sequence.
  public Optional<ReleaseRow> findNewest(String tenant, String packageName) {
    return listOfPackage(tenant, packageName, Long.MAX_VALUE, 1).stream().findFirst();
  }

  /// By package, then newest first.
  ///
  /// @param packageName empty for all
  public Page<ReleaseRow> list(String tenant, Optional<String> packageName, PageRequest page) {
    Optional<Cursor> cursor = Cursor.of(page, 2);
    String after = cursor.map(end -> end.part(0)).orElse("");
    long before = cursor.map(end -> end.longValue(1)).orElse(Long.MAX_VALUE);
    int limit = page.limit() + 1;
    List<ReleaseRow> found =
        packageName
            .map(wanted -> listOfPackage(tenant, wanted, before, limit))
            .orElseGet(() -> listAll(tenant, after, before, limit));
    return Cursor.toPage(found, page, row -> Cursor.encode(row.release().packageName(), Long.toString(row.sequence())));
  }

  @Query(
      """
      SELECT * FROM release WHERE tenant = :tenant AND package = :packageName AND sequence < :before
      ORDER BY tenant, package, sequence DESC LIMIT :limit\
      """)
  abstract List<ReleaseRow> listOfPackage(String tenant, String packageName, long before, int limit);

  @Query(
      """
      SELECT * FROM release WHERE tenant = :tenant
        AND (package > :after OR (package = :after AND sequence < :before))
      ORDER BY tenant, package, sequence DESC LIMIT :limit\
      """)
  abstract List<ReleaseRow> listAll(String tenant, String after, long before, int limit);
}
