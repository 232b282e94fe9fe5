package dev.uplift.store.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.release.NewRelease;
import dev.uplift.store.release.ReleaseRepository;
import dev.uplift.store.release.ReleaseRow.Artifact;
import dev.uplift.store.trust.TrustRootRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class CommandRepositoryTest extends CommandRepositoryScenario {
  @Test
  void aCommandIsCreatedByTheFirstCallAndNeverChanges() {
    CommandRow first = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    clock.advance(Duration.ofHours(1));
    CommandRow again = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, NEVER_CALLED);

    assertThat(again).isEqualTo(first);
    assertThat(first.command().orElseThrow().body())
        .isEqualTo("do %s %d 2026-11-20T10:00:00.123Z".formatted(first.id(), first.epoch()));
    assertThat(first.toPublish()).isEqualTo(first.command().orElseThrow());
    assertThat(first.createdAt()).isEqualTo(Instant.parse("2026-11-20T10:00:00.123Z"));
    assertThat(commands.find(first.key())).contains(first);
    assertThat(commands.find(tenant, LEFT, first.id())).contains(first);
  }

  @Test
  void eachStepGenerationHostAndUpgradeHasItsOwnCommand() {
    List<CommandRow> rows =
        List.of(
            commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER),
            commands.createIfAbsent(key(Step.UPGRADE, 2), RELEASE, WAITER, ENCODER),
            commands.createIfAbsent(key(Step.AWAIT_HEARTBEAT, 1), RELEASE, WAITER, ENCODER),
            commands.createIfAbsent(new CommandKey(tenant, "u1", RIGHT, Step.UPGRADE, 1), RELEASE, WAITER, ENCODER),
            commands.createIfAbsent(new CommandKey(tenant, "u2", LEFT, Step.UPGRADE, 1), RELEASE, WAITER, ENCODER));

    assertThat(rows).extracting(CommandRow::id).doesNotHaveDuplicates();
  }

  @Test
  void theNewestWaiterIsRecorded() {
    commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    var later = new WaitingActivity("upgrade/acme/site", "12");

    assertThat(commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, later, NEVER_CALLED).waiter()).contains(later);
    assertThat(commands.find(key(Step.UPGRADE, 1)).orElseThrow().waiter()).contains(later);
  }

  @Test
  void theEpochOfAHostIsTheTimeOrTheLastPlusOne() {
    long now = clock.millis();

    assertThat(commands.createIfAbsent(key(Step.PREPARE, 1), RELEASE, WAITER, ENCODER).epoch()).isEqualTo(now);
    assertThat(commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER).epoch()).isEqualTo(now + 1);
    clock.advance(Duration.ofHours(-2));
    assertThat(commands.createIfAbsent(key(Step.REBOOT, 1), RELEASE, WAITER, ENCODER).epoch()).isEqualTo(now + 2);
    clock.advance(Duration.ofHours(3));
    assertThat(commands.createIfAbsent(key(Step.COMMIT, 1), RELEASE, WAITER, ENCODER).epoch())
        .isEqualTo(now + Duration.ofHours(1).toMillis());
  }

  @Test
  void theNextEpochIsAboveOneThatTheHostHasSeenWithinADay() {
    long now = clock.millis();
    long seen = now + Duration.ofHours(20).toMillis();
    commands.createIfAbsent(key(Step.PREPARE, 1), RELEASE, WAITER, ENCODER);

    commands.raiseEpoch(tenant, LEFT, Long.MAX_VALUE);
    commands.raiseEpoch(tenant, LEFT, now + Duration.ofHours(25).toMillis());
    assertThat(commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER).epoch()).isEqualTo(now + 1);
    commands.raiseEpoch(tenant, LEFT, seen);
    commands.raiseEpoch(tenant, LEFT, now);
    assertThat(commands.createIfAbsent(key(Step.REBOOT, 1), RELEASE, WAITER, ENCODER).epoch()).isEqualTo(seen + 1);
  }

  @Test
  void aFailedCreationLeavesNothing() {
    assertThatThrownBy(() -> commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, NEVER_CALLED))
        .isInstanceOf(AssertionError.class);

    assertThat(commands.find(key(Step.UPGRADE, 1))).isEmpty();
    assertThat(commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER).epoch())
        .isEqualTo(clock.millis());
  }

  @Test
  void theFirstOutcomeWinsAndALaterOneIsKeptAsLate() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    Instant end = clock.advance(Duration.ofMinutes(3));

    OutcomeRecorded first = commands.recordOutcome(tenant, LEFT, row.id(), "{\"result\":\"done\"}").orElseThrow();
    Instant later = clock.advance(Duration.ofMinutes(1));
    OutcomeRecorded second = commands.recordOutcome(tenant, LEFT, row.id(), "{\"result\":\"error\"}").orElseThrow();
    OutcomeRecorded again = commands.recordOutcome(tenant, LEFT, row.id(), "{\"result\":\"error\"}").orElseThrow();

    assertThat(first.isFirst()).isTrue();
    assertThat(second.isFirst()).isFalse();
    assertThat(second.row()).isEqualTo(first.row()).isEqualTo(again.row());
    assertThat(first.row().outcome()).contains("{\"result\":\"done\"}");
    assertThat(first.row().waiter()).contains(WAITER);
    assertThat(first.row().closedAt()).contains(end);
    assertThat(timeline().getFirst().lateOutcomes())
        .containsExactly(new TimelineEntry.LateOutcome(again.row().id(), "{\"result\":\"error\"}", later, null));
  }

  @Test
  void theFirstOutcomeIsWrittenAndReadInOneStatement() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    clock.advance(Duration.ofSeconds(1));
    long before = database.counts().statements();

    OutcomeRecorded recorded = commands.recordOutcome(tenant, LEFT, row.id(), "done", "the log").orElseThrow();

    assertThat(database.counts().statements() - before).isEqualTo(1);
    assertThat(recorded.isFirst()).isTrue();
    assertThat(commands.find(tenant, LEFT, row.id())).contains(recorded.row());
  }

  @Test
  void theLogOfAnOutcomeIsKeptUntilItIsOld() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    commands.recordOutcome(tenant, LEFT, row.id(), "failed", "no space left");
    commands.recordOutcome(tenant, LEFT, row.id(), "done", "two lines\nof log");

    assertThat(timeline().getFirst().row().log()).contains("no space left");
    assertThat(timeline().getFirst().lateOutcomes())
        .extracting(TimelineEntry.LateOutcome::log)
        .containsExactly("two lines\nof log");

    commands.deleteLogs(clock.instant());
    assertThat(timeline().getFirst().row().log()).isPresent();
    commands.deleteLogs(clock.advance(Duration.ofMillis(1)));
    assertThat(timeline().getFirst().row().log()).isEmpty();
    assertThat(timeline().getFirst().row().outcome()).contains("failed");
    assertThat(timeline().getFirst().lateOutcomes()).extracting(TimelineEntry.LateOutcome::log).containsOnlyNulls();
  }

  @Test
  void aRepeatedOutcomeIsNotALateOne() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    commands.recordOutcome(tenant, LEFT, row.id(), "done");

    assertThat(commands.recordOutcome(tenant, LEFT, row.id(), "done").orElseThrow().row().outcome()).contains("done");
    assertThat(timeline().getFirst().lateOutcomes()).isEmpty();
  }

  @Test
  void aTalkativeAgentDoesNotFillTheTable() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    for (int i = 0; i < 30; i++) {
      commands.recordOutcome(tenant, LEFT, row.id(), "outcome " + i);
    }

    assertThat(timeline().getFirst().lateOutcomes()).hasSize(16);
  }

  @Test
  void anOutcomeFromAnotherHostIsIgnored() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);

    assertThat(commands.find(tenant, RIGHT, row.id())).isEmpty();
    assertThat(commands.recordOutcome(tenant, RIGHT, row.id(), "done")).isEmpty();
    commands.record(List.of(CommandReport.accepted(tenant, RIGHT, row.id(), clock.instant())));
    commands.record(List.of(CommandReport.progress(tenant, RIGHT, row.id(), "fetching")));

    assertThat(commands.find(row.key())).contains(row);
    assertThat(commands.recordOutcome(tenant, LEFT, "no such command", "done")).isEmpty();
  }

  @Test
  void aCommandThatWasJustCreatedIsReadAsItWasReturned() {
    CommandRow created = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);

    assertThat(commands.find(created.key())).contains(created);
  }

  @Test
  void noCommandIsCreatedForAnUpgradeThatHasEnded() {
    UpgradeRepository upgrades = database.repository(UpgradeRepository.class);
    upgrades.create(new NewUpgrade("u1", device("site"), new Release("os", "1"), "ann", "", "run-1"));
    CommandRow before = commands.createIfAbsent(key(Step.PREPARE, 1), RELEASE, WAITER, ENCODER);
    upgrades.recordEnd(tenant, "u1", new UpgradeEnd(Outcome.ROLLED_BACK, Optional.empty(), "[]"));

    assertThatThrownBy(() -> commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, NEVER_CALLED))
        .isInstanceOf(UpgradeEnded.class)
        .hasMessageContaining("u1 has ended: " + Outcome.ROLLED_BACK);
    assertThat(commands.createIfAbsent(key(Step.PREPARE, 1), RELEASE, WAITER, NEVER_CALLED)).isEqualTo(before);
    assertThat(timeline()).hasSize(1);
  }

  @Test
  void aCommandWithAnOutcomeWasPublished() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    clock.advance(Duration.ofSeconds(1));
    commands.recordOutcome(tenant, LEFT, row.id(), "done");
    commands.record(List.of(CommandReport.published(tenant, row.host(), row.id(), 17, clock.instant())));

    CommandRow now = commands.find(row.key()).orElseThrow();
    assertThat(now.publishedAt()).contains(row.createdAt());
    assertThat(now.publishCount()).isEqualTo(1);
  }

  @Test
  void aCommandThatWasCancelledBeforeItWasPublishedNeverWas() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    commands.cancel(row.key(), CANCEL_ENCODER);
    commands.recordOutcome(tenant, LEFT, row.id(), "cancelled");

    assertThat(commands.find(row.key()).orElseThrow().publishedAt()).isEmpty();
  }

  @Test
  void theRowHasTheTimesAndTheSequenceOfItsPublications() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    Instant published = clock.advance(Duration.ofSeconds(1));
    commands.record(List.of(CommandReport.published(tenant, row.host(), row.id(), 17, clock.instant())));
    clock.advance(Duration.ofMinutes(10));
    commands.record(List.of(CommandReport.published(tenant, row.host(), row.id(), 23, clock.instant())));
    CommandRow cancel = commands.cancel(row.key(), CANCEL_ENCODER).orElseThrow();

    assertThat(row.streamSequence()).isEmpty();
    assertThat(commands.find(row.key()).orElseThrow().streamSequence()).isEqualTo(OptionalLong.of(23));
    commands.record(List.of(CommandReport.published(tenant, cancel.host(), cancel.id(), 31, clock.instant())));
    CommandRow now = commands.find(row.key()).orElseThrow();
    assertThat(now.streamSequence()).isEqualTo(OptionalLong.of(31));
    assertThat(now.publishedAt()).contains(published);
    assertThat(now.publishCount()).isEqualTo(2);
  }

  @Test
  void aCommandIsCreatedForTheNewestTrustRoot() {
    TrustRootRepository trustRoots = database.repository(TrustRootRepository.class);
    CommandEncoder encoder = basis -> new SignedCommand(basis.id(), "root " + basis.rootVersion(), "signed");

    CommandRow without = commands.createIfAbsent(key(Step.PREPARE, 1), RELEASE, WAITER, encoder);
    trustRoots.putIfAbsent(tenant, 1, "{}", "signed");
    trustRoots.putIfAbsent(tenant, 2, "{}", "signed");
    CommandRow with = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, encoder);

    assertThat(without.toPublish().body()).isEqualTo("root 0");
    assertThat(with.toPublish().body()).isEqualTo("root 2");
  }

  @Test
  void aCommandIsCreatedWithItsReleaseAsItIsSignedNow() {
    ReleaseRepository releases = database.repository(ReleaseRepository.class);
    List<Optional<CommandRelease>> given = new ArrayList<>();
    CommandEncoder encoder =
        basis -> {
          given.add(basis.release());
          return new SignedCommand(basis.id(), "do", "signed");
        };
    commands.createIfAbsent(key(Step.INSPECT, 1), RELEASE, WAITER, encoder);
    releases.put(newRelease("old"));
    long before = database.counts().statements();
    commands.createIfAbsent(key(Step.PREPARE, 1), RELEASE, WAITER, encoder);
    assertThat(database.counts().statements() - before).as("epoch, state, row").isEqualTo(3);
    releases.put(newRelease("new"));
    commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, encoder);
    commands.createIfAbsent(key(Step.HALT, 1), encoder);

    assertThat(given)
        .containsExactly(
            Optional.empty(),
            Optional.of(new CommandRelease("{}", "old", Optional.of("ab"))),
            Optional.of(new CommandRelease("{}", "new", Optional.of("ab"))),
            Optional.empty());
  }

  private NewRelease newRelease(String signature) {
    return new NewRelease(
        tenant, RELEASE, "bundle", 1, "{}", signature, Optional.of(new Artifact("ab", 5)), clock.instant());
  }

  @Test
  void reportsThatComeTogetherAreRecordedAsIfOneByOne() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    CommandRow other = commands.createIfAbsent(key(Step.UPGRADE, 2), RELEASE, WAITER, ENCODER);
    Instant first = clock.instant();
    Instant later = first.plusSeconds(3);

    commands.record(
        List.of(
            CommandReport.published(tenant, LEFT, row.id(), 17, first),
            CommandReport.progress(tenant, LEFT, row.id(), "fetching 10 %"),
            CommandReport.accepted(tenant, LEFT, other.id(), later),
            CommandReport.accepted(tenant, LEFT, row.id(), first),
            CommandReport.accepted(tenant, RIGHT, other.id(), first),
            CommandReport.published(tenant, LEFT, row.id(), 23, later),
            CommandReport.accepted(tenant, LEFT, row.id(), later),
            CommandReport.progress(tenant, LEFT, row.id(), "fetching 90 %")));

    CommandRow now = commands.find(row.key()).orElseThrow();
    assertThat(now.publishedAt()).contains(first);
    assertThat(now.publishCount()).isEqualTo(2);
    assertThat(now.streamSequence()).isEqualTo(OptionalLong.of(23));
    assertThat(now.acceptedAt()).contains(first);
    assertThat(now.progress()).contains("fetching 90 %");
    CommandRow ofOther = commands.find(other.key()).orElseThrow();
    assertThat(ofOther.acceptedAt()).contains(later);
    assertThat(ofOther.publishedAt()).isEmpty();
    assertThat(ofOther.progress()).isEmpty();
  }

  @Test
  void theFirstAcceptedAndTheLastProgressBeforeTheOutcomeAreKept() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    Instant accepted = clock.advance(Duration.ofSeconds(2));
    commands.record(List.of(CommandReport.accepted(tenant, LEFT, row.id(), clock.instant())));
    clock.advance(Duration.ofSeconds(2));
    commands.record(List.of(CommandReport.accepted(tenant, LEFT, row.id(), clock.instant())));
    commands.record(List.of(CommandReport.progress(tenant, LEFT, row.id(), "fetching 10 %")));
    commands.record(List.of(CommandReport.progress(tenant, LEFT, row.id(), "fetching 90 %")));
    commands.recordOutcome(tenant, LEFT, row.id(), "done");
    commands.record(List.of(CommandReport.progress(tenant, LEFT, row.id(), "too late")));

    CommandRow now = commands.find(row.key()).orElseThrow();
    assertThat(now.acceptedAt()).contains(accepted);
    assertThat(now.progress()).contains("fetching 90 %");
  }

  @Test
  void theTimelineIsInTheOrderOfCreation() {
    commands.createIfAbsent(key(Step.PREPARE, 1), RELEASE, WAITER, ENCODER);
    clock.advance(Duration.ofSeconds(1));
    CommandRow upgrade = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    clock.advance(Duration.ofSeconds(1));
    CommandRow cancel = commands.cancel(upgrade.key(), CANCEL_ENCODER).orElseThrow();
    commands.createIfAbsent(new CommandKey(tenant, "u2", LEFT, Step.PREPARE, 1), RELEASE, WAITER, ENCODER);

    assertThat(timeline())
        .extracting(entry -> entry.row().step())
        .containsExactly(Step.PREPARE, Step.UPGRADE, Step.CANCEL);
    assertThat(timeline())
        .extracting(entry -> entry.row().cancelledBy())
        .containsExactly(Optional.empty(), Optional.of(cancel.id()), Optional.empty());
  }

  @Test
  void textsOfTheAgentAreStoredExactly() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    String said = "{\"text\":\"Grüße ☂ 😀 \\u0000 \\\\\"," + "\"log\":\"" + "x".repeat(60_000) + "\"}";

    commands.recordOutcome(tenant, LEFT, row.id(), said);

    assertThat(commands.find(row.key()).orElseThrow().outcome()).contains(said);
  }

  @Test
  void aTextThatCannotBeStoredIsStoredAsFarAsPossible() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);

    commands.record(List.of(CommandReport.progress(tenant, LEFT, row.id(), "a\u0000b\uD83Dc\uD83D\uDE00")));

    assertThat(commands.find(row.key()).orElseThrow().progress()).contains("a\uFFFDb\uFFFDc\uD83D\uDE00");
  }

  @Test
  void aTenantThatDoesNotExistHasNoCommands() {
    var key = new CommandKey("unknown", "u1", LEFT, Step.UPGRADE, 1);

    assertThatThrownBy(() -> commands.createIfAbsent(key, RELEASE, WAITER, ENCODER)).isInstanceOf(NoSuchTenant.class);
    assertThatThrownBy(() -> commands.cancel(key, CANCEL_ENCODER)).isInstanceOf(NoSuchTenant.class);
    assertThat(commands.find(key)).isEmpty();
  }
}
