package dev.uplift.store.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class UpgradeRepositoryTest extends DatabaseScenario {
  private static final Release SHOPD = new Release("shopd", "1.4");
  private static final UpgradeEnd.EndReason BROKEN =
      new UpgradeEnd.EndReason("error", "health", "final", "does not answer");
  private static final UpgradeEnd.EndReason ANN = new UpgradeEnd.EndReason("abort", "abort", "", "ann: no");
  private static final UpgradeEnd DONE = new UpgradeEnd(Outcome.UPGRADED, Optional.empty(), "[{\"host\":\"left\"}]");

  private UpgradeRepository upgrades = database.repository(UpgradeRepository.class);

  @BeforeEach
  void open() {
    upgrades = database.repository(UpgradeRepository.class);
  }

  @Test
  void theFirstStartIsWrittenAndEachReturnsTheRow() {
    Instant begun = clock.instant();
    UpgradeRow first = begin("u1", "site", SHOPD);
    clock.advance(Duration.ofMinutes(1));

    UpgradeRow again = begin("u1", "site", SHOPD);
    UpgradeRow other = begin("u1", "elsewhere", new Release("os", "2"));

    assertThat(first)
        .isEqualTo(
            new UpgradeRow(
                tenant,
                "u1",
                "site",
                SHOPD.packageName(),
                SHOPD.version(),
                "ann",
                begun,
                "{\"hosts\":[]}",
                "run-1",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                null,
                null,
                null,
                null,
                Optional.empty(),
                Optional.empty()));
    assertThat(first.device()).isEqualTo(device("site"));
    assertThat(first.release()).isEqualTo(SHOPD);
    assertThat(first.end()).isEmpty();
    assertThat(again).isEqualTo(first);
    assertThat(other).isEqualTo(first);
    assertThat(upgrades.find(tenant, "u1")).contains(first);
    assertThat(first.isRunning()).isTrue();
  }

  @Test
  void theFirstThatIsCreatedStaysAndIsReadAsItWasReturned() {
    var upgrade = new NewUpgrade("u1", device("site"), SHOPD, "ann\0", "{\"hosts\":[]}", "run-1", Optional.of("u0"));

    UpgradeRow created = upgrades.create(upgrade).orElseThrow();

    assertThat(upgrades.find(tenant, "u1")).contains(created);
    assertThat(upgrades.create(upgrade)).isEmpty();
    assertThat(upgrades.create(new NewUpgrade("u1", device("other"), SHOPD, "bob", "", "run-2"))).isEmpty();
    assertThat(upgrades.find(tenant, "u1")).contains(created);
  }

  @Test
  void theEndThatCountsIsReturnedAsItIsRead() {
    begin("u1", "site", SHOPD);
    var failed =
        new UpgradeEnd(
            Outcome.ROLLED_BACK, Optional.of(new UpgradeEnd.EndReason("error", "broken", "final", "no\0disk")), "[]");

    UpgradeEnd first = upgrades.end(tenant, "u1", failed, Optional.of("run-2")).orElseThrow();

    assertThat(upgrades.find(tenant, "u1").orElseThrow().end()).contains(first);
    assertThat(upgrades.end(tenant, "u1", DONE, Optional.of("run-3"))).contains(first);
    assertThat(upgrades.end(tenant, "lost", DONE, Optional.of("run-1"))).isEmpty();
  }

  @Test
  void anUpgradeIsFoundByItsIdTogetherWithTheOneThatRunsOnTheDevice() {
    begin("ended", "site", SHOPD);
    upgrades.recordEnd(tenant, "ended", DONE);
    assertThat(upgrades.listIdAndRunning(tenant, "new", "site")).isEmpty();

    begin("elsewhere", "other", SHOPD);
    begin("runs", "site", SHOPD);

    assertThat(upgrades.listIdAndRunning(tenant, "new", "site")).extracting(UpgradeRow::id).containsExactly("runs");
    assertThat(upgrades.listIdAndRunning(tenant, "runs", "site")).extracting(UpgradeRow::id).containsExactly("runs");
    assertThat(upgrades.listIdAndRunning(tenant, "ended", "site"))
        .extracting(UpgradeRow::id)
        .containsExactlyInAnyOrder("ended", "runs");
    assertThat(upgrades.listIdAndRunning(newTenant(), "runs", "site")).isEmpty();
  }

  @Test
  void theRunThatEndedItIsKept() {
    begin("u1", "site", SHOPD);
    begin("u2", "elsewhere", SHOPD);

    upgrades.recordEnd(tenant, "u1", DONE, Optional.of("run-2"));
    upgrades.recordEnd(tenant, "u1", DONE, Optional.of("run-3"));
    upgrades.recordEnd(tenant, "u2", DONE);

    assertThat(upgrades.find(tenant, "u1").orElseThrow().runId()).isEqualTo("run-2");
    assertThat(upgrades.find(tenant, "u2").orElseThrow().runId()).isEqualTo("run-1");
  }

  @Test
  void theFirstEndStays() {
    begin("u1", "site", SHOPD);
    Instant ended = clock.advance(Duration.ofMinutes(5));
    var failed = new UpgradeEnd(Outcome.ROLLED_BACK, Optional.of(BROKEN), "[]");

    UpgradeRow first = upgrades.recordEnd(tenant, "u1", failed).orElseThrow();
    clock.advance(Duration.ofMinutes(5));
    UpgradeRow second = upgrades.recordEnd(tenant, "u1", DONE).orElseThrow();

    assertThat(first.end()).contains(failed);
    assertThat(first.endedAt()).contains(ended);
    assertThat(first.isRunning()).isFalse();
    assertThat(second).isEqualTo(first);
    assertThat(begin("u1", "site", SHOPD)).isEqualTo(first);
  }

  @Test
  void everyOutcomeIsReadBack() {
    for (Outcome outcome : Outcome.values()) {
      begin(outcome.name(), "site", SHOPD);
      var end = new UpgradeEnd(outcome, Optional.of(ANN), "[]");
      upgrades.recordEnd(tenant, outcome.name(), end);
      assertThat(upgrades.find(tenant, outcome.name()).orElseThrow().end()).contains(end);
    }
  }

  @Test
  void aLostUpgradeCanStartAgainAndEnd() {
    assertThat(upgrades.recordEnd(tenant, "lost", DONE)).isEmpty();

    begin("lost", "site", SHOPD);
    assertThat(upgrades.recordEnd(tenant, "lost", DONE).orElseThrow().end()).contains(DONE);
  }

  @Test
  void upgradesAreListedNewestFirstByFilter() {
    begin("u1", "one", SHOPD);
    clock.advance(Duration.ofSeconds(1));
    begin("u2", "two", SHOPD);
    begin("u3", "two", new Release("os", "9"));
    clock.advance(Duration.ofSeconds(1));
    begin("u4", "one", new Release("shopd", "1.5"));
    upgrades.recordEnd(tenant, "u1", DONE);
    upgrades.recordEnd(tenant, "u2", new UpgradeEnd(Outcome.ABORTED, Optional.of(ANN), "[]"));

    assertThat(ids(UpgradeFilter.ALL)).containsExactly("u4", "u3", "u2", "u1");
    assertThat(ids(filter("one", null, null, null, null))).containsExactly("u4", "u1");
    assertThat(ids(filter(null, "shopd", null, null, null))).containsExactly("u4", "u2", "u1");
    assertThat(ids(filter(null, "shopd", "1.4", null, null))).containsExactly("u2", "u1");
    assertThat(ids(filter(null, null, null, Outcome.ABORTED, null))).containsExactly("u2");
    assertThat(ids(filter(null, null, null, null, true))).containsExactly("u4", "u3");
    assertThat(ids(filter("one", "shopd", "1.4", Outcome.UPGRADED, false))).containsExactly("u1");
    assertThat(ids(filter("two", null, "1.5", null, null))).isEmpty();
  }

  @Test
  void upgradesStartedAtTheSameTimeAreListedOnceEach() {
    var expected = new ArrayList<String>();
    for (int i = 0; i < 25; i++) {
      expected.addFirst("u%02d".formatted(i));
      begin("u%02d".formatted(i), "site-" + i, SHOPD);
      if (i == 12) {
        clock.advance(Duration.ofMillis(1));
      }
    }
    var seen = new ArrayList<String>();
    Optional<PageRequest> next = Optional.of(PageRequest.first(10));
    while (next.isPresent()) {
      Page<UpgradeRow> page = upgrades.list(tenant, UpgradeFilter.ALL, next.get());
      page.rows().forEach(row -> seen.add(row.id()));
      next = next.get().next(page);
    }

    assertThat(seen).isEqualTo(expected);
  }

  @Test
  void runningUpgradesOfAllTenantsAreListedOldestFirst() {
    String otherTenant = newTenant();
    begin("b", "one", SHOPD);
    upgrades.createIfAbsent(new NewUpgrade("a", new DeviceId(otherTenant, "x"), SHOPD, "ann", "", "run-1"));
    begin("a", "two", SHOPD);
    clock.advance(Duration.ofSeconds(1));
    begin("c", "three", SHOPD);
    begin("ended", "four", SHOPD);
    upgrades.recordEnd(tenant, "ended", DONE);

    var seen = new ArrayList<String>();
    Optional<PageRequest> next = Optional.of(PageRequest.first(2));
    while (next.isPresent()) {
      Page<UpgradeRow> page = upgrades.listRunning(next.get());
      page.rows().stream()
          .filter(row -> List.of(tenant, otherTenant).contains(row.device().tenant()))
          .forEach(row -> seen.add(row.device().tenant() + " " + row.id()));
      next = next.get().next(page);
    }

    assertThat(seen)
        .containsExactlyInAnyOrder(tenant + " a", tenant + " b", otherTenant + " a", tenant + " c")
        .containsSubsequence(tenant + " a", tenant + " b", tenant + " c")
        .endsWith(tenant + " c");
  }

  @Test
  void aTenantThatDoesNotExistHasNoUpgrades() {
    var upgrade = new NewUpgrade("u1", new DeviceId("unknown", "site"), SHOPD, "ann", "", "run-1");

    assertThatThrownBy(() -> upgrades.createIfAbsent(upgrade)).isInstanceOf(NoSuchTenant.class);
  }

  private UpgradeRow begin(String id, String device, Release release) {
    return upgrades.createIfAbsent(new NewUpgrade(id, device(device), release, "ann", "{\"hosts\":[]}", "run-1"));
  }

  private List<String> ids(UpgradeFilter filter) {
    return upgrades.list(tenant, filter, PageRequest.first(100)).rows().stream().map(UpgradeRow::id).toList();
  }

  private static UpgradeFilter filter(
      @Nullable String device,
      @Nullable String packageName,
      @Nullable String version,
      @Nullable Outcome outcome,
      @Nullable Boolean running) {
    return new UpgradeFilter(
        Optional.ofNullable(device),
        Optional.ofNullable(packageName),
        Optional.ofNullable(version),
        Optional.ofNullable(outcome),
        Optional.ofNullable(running));
  }
}
