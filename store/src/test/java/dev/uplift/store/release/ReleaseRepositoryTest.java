package dev.uplift.store.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.Release;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ReleaseRepositoryTest extends DatabaseScenario {
  private static final Instant CREATED = Instant.parse("2026-11-01T00:00:00Z");
  private static final Optional<ReleaseRow.Artifact> ARTIFACT =
      Optional.of(new ReleaseRow.Artifact("ab".repeat(32), 5_000_000_000L));

  private ReleaseRepository releases = database.repository(ReleaseRepository.class);

  @BeforeEach
  void open() {
    releases = database.repository(ReleaseRepository.class);
  }

  @Test
  void aReleaseIsStoredUnchanged() {
    var release =
        new NewRelease(
            tenant,
            new Release("shopd", "1.0.0"),
            "bundle",
            7,
            "{\n  \"package\" : \"shopd\"  }\r\n",
            "key.signature\n",
            ARTIFACT,
            CREATED);

    ReleaseRow recorded = recorded(release);

    assertThat(recorded)
        .isEqualTo(
            new ReleaseRow(
                tenant,
                release.release().packageName(),
                release.release().version(),
                "bundle",
                7,
                release.manifest(),
                release.signature(),
                ARTIFACT.map(ReleaseRow.Artifact::digest),
                ARTIFACT.map(ReleaseRow.Artifact::sizeBytes).orElse(null),
                CREATED,
                clock.instant()));
    assertThat(recorded.release()).isEqualTo(release.release());
    assertThat(recorded.artifact()).isEqualTo(ARTIFACT);
    assertThat(releases.find(tenant, release.release())).contains(recorded);
  }

  @Test
  void anIdenticalReleaseIsAcceptedAndAnotherIsRejected() {
    ReleaseRow recorded = recorded(release("shopd", "1.0", 1));
    clock.advance(Duration.ofHours(1));
    NewRelease again = release("shopd", "1.0", 1);

    assertThat(releases.put(again)).isEqualTo(new PublishReleaseResult.Unchanged(recorded));
    assertThat(releases.put(with(again, again.manifest() + " ", again.signature())))
        .isEqualTo(new PublishReleaseResult.ContentDiffers(recorded));
    assertThat(releases.find(tenant, again.release())).contains(recorded);
  }

  @Test
  void anIdenticalTextReplacesTheSignatures() {
    recorded(release("shopd", "1.0", 1));
    NewRelease again = release("shopd", "1.0", 1);

    PublishReleaseResult publishReleaseResult = releases.put(with(again, again.manifest(), "other"));

    ReleaseRow found = releases.find(tenant, again.release()).orElseThrow();
    assertThat(publishReleaseResult).isEqualTo(new PublishReleaseResult.SignaturesReplaced(found));
    assertThat(found.signature()).isEqualTo("other");
  }

  @Test
  void twoVersionsOfAPackageHaveTwoSequences() {
    ReleaseRow recorded = recorded(release("shopd", "1.0", 1));

    assertThat(releases.put(release("shopd", "1.1", 1))).isEqualTo(new PublishReleaseResult.SequenceTaken(recorded));
    assertThat(releases.find(tenant, new Release("shopd", "1.1"))).isEmpty();
    recorded(release("os", "1.1", 1));
  }

  @Test
  void theNewestHasTheHighestSequence() {
    recorded(release("shopd", "1.10", 9));
    recorded(release("shopd", "1.9", 10));
    recorded(release("os", "3", 11));

    assertThat(releases.findNewest(tenant, "shopd").orElseThrow().release().version()).isEqualTo("1.9");
    assertThat(releases.findNewest(tenant, "nothing")).isEmpty();
  }

  @Test
  void releasesAreListedByPackageNewestFirst() {
    for (int i = 1; i <= 5; i++) {
      recorded(release("shopd", "1." + i, i));
      recorded(release("os", "2." + i, i));
    }
    var seen = new ArrayList<String>();
    Optional<PageRequest> next = Optional.of(PageRequest.first(3));
    while (next.isPresent()) {
      Page<ReleaseRow> page = releases.list(tenant, Optional.empty(), next.get());
      page.rows().forEach(row -> seen.add(row.release().toString()));
      next = next.get().next(page);
    }

    assertThat(seen)
        .containsExactly(
            "os 2.5",
            "os 2.4",
            "os 2.3",
            "os 2.2",
            "os 2.1",
            "shopd 1.5",
            "shopd 1.4",
            "shopd 1.3",
            "shopd 1.2",
            "shopd 1.1");
    assertThat(releases.list(tenant, Optional.of("os"), PageRequest.first(10)).rows())
        .extracting(row -> row.release().packageName())
        .isEqualTo(List.of("os", "os", "os", "os", "os"));
  }

  @Test
  void aKindWithoutAnArtifactHasNone() {
    var release = new NewRelease(tenant, new Release("os", "1"), "apt", 1, "{}", "", Optional.empty(), CREATED);

    assertThat(recorded(release).artifact()).isEmpty();
  }

  @Test
  void aTenantThatDoesNotExistHasNoReleases() {
    var release = new NewRelease("unknown", new Release("os", "1"), "apt", 1, "{}", "", Optional.empty(), CREATED);

    assertThatThrownBy(() -> releases.put(release)).isInstanceOf(NoSuchTenant.class);
  }

  private ReleaseRow recorded(NewRelease release) {
    PublishReleaseResult publishReleaseResult = releases.put(release);
    assertThat(publishReleaseResult).isInstanceOf(PublishReleaseResult.Recorded.class);
    return ((PublishReleaseResult.Recorded) publishReleaseResult).release();
  }

  private NewRelease release(String packageName, String version, long sequence) {
    return new NewRelease(
        tenant,
        new Release(packageName, version),
        "bundle",
        sequence,
        "{\"version\":\"" + version + "\"}",
        "signed",
        ARTIFACT,
        CREATED);
  }

  private static NewRelease with(NewRelease release, String text, String signature) {
    return new NewRelease(
        release.tenant(),
        release.release(),
        release.kind(),
        release.sequence(),
        text,
        signature,
        release.artifact(),
        release.createdAt());
  }
}
