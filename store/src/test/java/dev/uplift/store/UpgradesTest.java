package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class UpgradesTest extends OnBothDatabases {
  private static final Release SHOPD = new Release("shopd", "1.4");
  private static final UpgradeEnd.Why BROKEN =
      new UpgradeEnd.Why("error", "health", "final", "does not answer");
  private static final UpgradeEnd.Why ANN = new UpgradeEnd.Why("abort", "abort", "", "ann: no");
  private static final UpgradeEnd DONE =
      new UpgradeEnd(Outcome.UPGRADED, Optional.empty(), "[{\"host\":\"left\"}]");

  private Upgrades upgrades = new Upgrades(database, clock);

  @BeforeEach
  void open() {
    upgrades = new Upgrades(database, clock);
  }

  @Test
  void theFirstBeginWritesAndEachReturnsTheRow() {
    Instant begun = clock.instant();
    UpgradeRow first = begin("u1", "site", SHOPD);
    clock.pass(Duration.ofMinutes(1));

    UpgradeRow again = begin("u1", "site", SHOPD);
    UpgradeRow other = begin("u1", "elsewhere", new Release("os", "2"));

    assertThat(first)
        .isEqualTo(
            new UpgradeRow(
                "u1",
                device("site"),
                SHOPD,
                "ann",
                begun,
                "{\"hosts\":[]}",
                Optional.of("run-1"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
    assertThat(again).isEqualTo(first);
    assertThat(other).isEqualTo(first);
    assertThat(upgrades.find(tenant, "u1")).contains(first);
    assertThat(first.isRunning()).isTrue();
  }

  @Test
  void theRunThatEndedItIsTheOneThatIsKept() {
    begin("u1", "site", SHOPD);
    begin("u2", "elsewhere", SHOPD);

    upgrades.end(tenant, "u1", DONE, Optional.of("run-2"));
    upgrades.end(tenant, "u1", DONE, Optional.of("run-3"));
    upgrades.end(tenant, "u2", DONE);

    assertThat(upgrades.find(tenant, "u1").orElseThrow().run()).contains("run-2");
    assertThat(upgrades.find(tenant, "u2").orElseThrow().run()).contains("run-1");
  }

  @Test
  void theFirstEndStays() {
    begin("u1", "site", SHOPD);
    Instant ended = clock.pass(Duration.ofMinutes(5));
    var failed = new UpgradeEnd(Outcome.ROLLED_BACK, Optional.of(BROKEN), "[]");

    UpgradeRow first = upgrades.end(tenant, "u1", failed).orElseThrow();
    clock.pass(Duration.ofMinutes(5));
    UpgradeRow second = upgrades.end(tenant, "u1", DONE).orElseThrow();

    assertThat(first.end()).contains(failed);
    assertThat(first.endedAt()).contains(ended);
    assertThat(first.isRunning()).isFalse();
    assertThat(second).isEqualTo(first);
    assertThat(begin("u1", "site", SHOPD)).isEqualTo(first);
  }

  @Test
  void everyOutcomeComesBackAsItWas() {
    for (Outcome outcome : Outcome.values()) {
      begin(outcome.name(), "site", SHOPD);
      var end = new UpgradeEnd(outcome, Optional.of(ANN), "[]");
      upgrades.end(tenant, outcome.name(), end);
      assertThat(upgrades.find(tenant, outcome.name()).orElseThrow().end()).contains(end);
    }
  }

  @Test
  void anUpgradeThatTheRecordsHaveLostCanBeginAgainAndEnd() {
    assertThat(upgrades.end(tenant, "lost", DONE)).isEmpty();

    begin("lost", "site", SHOPD);
    assertThat(upgrades.end(tenant, "lost", DONE).orElseThrow().end()).contains(DONE);
  }

  @Test
  void upgradesAreListedNewestFirstByWhatIsAsked() {
    begin("u1", "one", SHOPD);
    clock.pass(Duration.ofSeconds(1));
    begin("u2", "two", SHOPD);
    begin("u3", "two", new Release("os", "9"));
    clock.pass(Duration.ofSeconds(1));
    begin("u4", "one", new Release("shopd", "1.5"));
    upgrades.end(tenant, "u1", DONE);
    upgrades.end(tenant, "u2", new UpgradeEnd(Outcome.ABORTED, Optional.of(ANN), "[]"));

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
  void manyThatBeganAtOnceAreListedOnceEach() {
    var expected = new ArrayList<String>();
    for (int i = 0; i < 25; i++) {
      expected.addFirst("u%02d".formatted(i));
      begin("u%02d".formatted(i), "site-" + i, SHOPD);
      if (i == 12) {
        clock.pass(Duration.ofMillis(1));
      }
    }
    var seen = new ArrayList<String>();
    Optional<PageRequest> next = Optional.of(PageRequest.first(10));
    while (next.isPresent()) {
      Page<UpgradeRow> page = upgrades.list(tenant, UpgradeFilter.ALL, next.get());
      page.rows().forEach(row -> seen.add(row.id()));
      next = next.get().after(page);
    }

    assertThat(seen).isEqualTo(expected);
  }

  @Test
  void theReconcilerSeesWhatRunsInAllTenantsOldestFirst() {
    String otherTenant = newTenant();
    begin("b", "one", SHOPD);
    upgrades.begin(new NewUpgrade("a", new DeviceId(otherTenant, "x"), SHOPD, "ann", "", "run-1"));
    begin("a", "two", SHOPD);
    clock.pass(Duration.ofSeconds(1));
    begin("c", "three", SHOPD);
    begin("ended", "four", SHOPD);
    upgrades.end(tenant, "ended", DONE);

    var seen = new ArrayList<String>();
    Optional<PageRequest> next = Optional.of(PageRequest.first(2));
    while (next.isPresent()) {
      Page<UpgradeRow> page = upgrades.open(next.get());
      page.rows().stream()
          .filter(row -> List.of(tenant, otherTenant).contains(row.device().tenant()))
          .forEach(row -> seen.add(row.device().tenant() + " " + row.id()));
      next = next.get().after(page);
    }

    assertThat(seen)
        .containsExactlyInAnyOrder(tenant + " a", tenant + " b", otherTenant + " a", tenant + " c")
        .containsSubsequence(tenant + " a", tenant + " b", tenant + " c")
        .endsWith(tenant + " c");
  }

  @Test
  void aReleaseThatFailedHereIsRemembered() {
    assertThat(upgrades.failedBefore(device("site"), SHOPD)).isEmpty();
    ended("u1", Outcome.ROLLED_BACK, BROKEN);

    assertThat(upgrades.failedBefore(device("site"), SHOPD).orElseThrow().id()).isEqualTo("u1");
    assertThat(upgrades.failedBefore(device("other"), SHOPD)).isEmpty();
    assertThat(upgrades.failedBefore(device("site"), new Release("shopd", "1.5"))).isEmpty();

    ended("u2", Outcome.PREPARE_FAILED, BROKEN);
    assertThat(upgrades.failedBefore(device("site"), SHOPD).orElseThrow().id()).isEqualTo("u2");
  }

  @Test
  void aSuccessForgivesAnEarlierFailureAndNotALaterOne() {
    ended("u1", Outcome.STRANDED, BROKEN);
    ended("u2", Outcome.UPGRADED, null);
    assertThat(upgrades.failedBefore(device("site"), SHOPD)).isEmpty();

    ended("u3", Outcome.PARTIAL, BROKEN);
    assertThat(upgrades.failedBefore(device("site"), SHOPD).orElseThrow().id()).isEqualTo("u3");

    ended("u4", Outcome.NO_ACTION, null);
    assertThat(upgrades.failedBefore(device("site"), SHOPD)).isEmpty();
  }

  @Test
  void whatDoesNotSpeakAgainstTheReleaseIsNoFailure() {
    ended("u1", Outcome.ROLLED_BACK, ANN);
    ended("u2", Outcome.EXPIRED, new UpgradeEnd.Why("deadline", "deadline", "", "late"));
    ended("u3", Outcome.DECLINED, new UpgradeEnd.Why("declined", "busy", "declined", "busy"));
    begin("u4", "site", SHOPD);

    assertThat(upgrades.failedBefore(device("site"), SHOPD)).isEmpty();
  }

  @Test
  void whatTakesAnUpgradeBackSaysNothingAboutTheRelease() {
    revertEnded("u1.r1", Outcome.STRANDED, BROKEN);
    assertThat(upgrades.failedBefore(device("site"), SHOPD)).isEmpty();

    ended("u2", Outcome.ROLLED_BACK, BROKEN);
    revertEnded("u1.r2", Outcome.NO_ACTION, null);
    assertThat(upgrades.failedBefore(device("site"), SHOPD).orElseThrow().id()).isEqualTo("u2");
    assertThat(upgrades.find(tenant, "u1.r2").orElseThrow().revertOf()).contains("u1");
  }

  private void revertEnded(String id, Outcome outcome, UpgradeEnd.@Nullable Why why) {
    upgrades.begin(
        new NewUpgrade(id, device("site"), SHOPD, "ann", "{}", "run-1", Optional.of("u1")));
    clock.pass(Duration.ofMinutes(1));
    upgrades.end(tenant, id, new UpgradeEnd(outcome, Optional.ofNullable(why), "[]"));
  }

  @Test
  void aTenantThatDoesNotExistHasNoUpgrades() {
    var upgrade = new NewUpgrade("u1", new DeviceId("nobody", "site"), SHOPD, "ann", "", "run-1");

    assertThatThrownBy(() -> upgrades.begin(upgrade)).isInstanceOf(NoSuchTenant.class);
  }

  private UpgradeRow begin(String id, String device, Release release) {
    return upgrades.begin(
        new NewUpgrade(id, device(device), release, "ann", "{\"hosts\":[]}", "run-1"));
  }

  private void ended(String id, Outcome outcome, UpgradeEnd.@Nullable Why why) {
    begin(id, "site", SHOPD);
    clock.pass(Duration.ofMinutes(1));
    upgrades.end(tenant, id, new UpgradeEnd(outcome, Optional.ofNullable(why), "[]"));
  }

  private List<String> ids(UpgradeFilter filter) {
    return upgrades.list(tenant, filter, PageRequest.first(100)).rows().stream()
        .map(UpgradeRow::id)
        .toList();
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
