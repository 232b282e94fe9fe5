package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class CommandsTest extends CommandsScenario {
  @Test
  void aCommandIsMintedByTheFirstCallAndTheSameEverAfter() {
    CommandRow first = commands.await(key(Step.UPGRADE, 1), WAITER, MINT);
    clock.pass(Duration.ofHours(1));
    CommandRow again = commands.await(key(Step.UPGRADE, 1), WAITER, NEVER);

    assertThat(again).isEqualTo(first);
    assertThat(first.command().orElseThrow().body())
        .isEqualTo("do %s %d 2026-11-20T10:00:00.123Z".formatted(first.id(), first.epoch()));
    assertThat(first.toSend()).isEqualTo(first.command().orElseThrow());
    assertThat(first.times().minted()).isEqualTo(Instant.parse("2026-11-20T10:00:00.123Z"));
    assertThat(commands.find(first.key())).contains(first);
    assertThat(commands.find(tenant, LEFT, first.id())).contains(first);
  }

  @Test
  void eachStepGenerationHostAndUpgradeIsACommandOfItsOwn() {
    List<CommandRow> rows =
        List.of(
            commands.await(key(Step.UPGRADE, 1), WAITER, MINT),
            commands.await(key(Step.UPGRADE, 2), WAITER, MINT),
            commands.await(key(Step.AWAIT_HEARTBEAT, 1), WAITER, MINT),
            commands.await(new CommandKey(tenant, "u1", RIGHT, Step.UPGRADE, 1), WAITER, MINT),
            commands.await(new CommandKey(tenant, "u2", LEFT, Step.UPGRADE, 1), WAITER, MINT));

    assertThat(rows).extracting(CommandRow::id).doesNotHaveDuplicates();
  }

  @Test
  void theNewestWaiterIsTheOneThatWaits() {
    commands.await(key(Step.UPGRADE, 1), WAITER, MINT);
    var later = new Waiter("upgrade/acme/site", "12");

    assertThat(commands.await(key(Step.UPGRADE, 1), later, NEVER).waiter()).contains(later);
    assertThat(commands.find(key(Step.UPGRADE, 1)).orElseThrow().waiter()).contains(later);
  }

  @Test
  void theEpochOfAHostIsTheTimeOrOneMoreThanTheLast() {
    long now = clock.millis();

    assertThat(commands.await(key(Step.PREPARE, 1), WAITER, MINT).epoch()).isEqualTo(now);
    assertThat(commands.await(key(Step.UPGRADE, 1), WAITER, MINT).epoch()).isEqualTo(now + 1);
    clock.pass(Duration.ofHours(-2));
    assertThat(commands.await(key(Step.REBOOT, 1), WAITER, MINT).epoch()).isEqualTo(now + 2);
    clock.pass(Duration.ofHours(3));
    assertThat(commands.await(key(Step.COMMIT, 1), WAITER, MINT).epoch())
        .isEqualTo(now + Duration.ofHours(1).toMillis());
  }

  @Test
  void aMintThatFailsLeavesNothing() {
    assertThatThrownBy(() -> commands.await(key(Step.UPGRADE, 1), WAITER, NEVER))
        .isInstanceOf(AssertionError.class);

    assertThat(commands.find(key(Step.UPGRADE, 1))).isEmpty();
    assertThat(commands.await(key(Step.UPGRADE, 1), WAITER, MINT).epoch())
        .isEqualTo(clock.millis());
  }

  @Test
  void theFirstOutcomeWinsAndALaterOneIsKeptBesideIt() {
    CommandRow row = commands.await(key(Step.UPGRADE, 1), WAITER, MINT);
    Instant end = clock.pass(Duration.ofMinutes(3));

    Settled first = commands.settle(tenant, LEFT, row.id(), "{\"result\":\"done\"}").orElseThrow();
    Instant later = clock.pass(Duration.ofMinutes(1));
    Settled second =
        commands.settle(tenant, LEFT, row.id(), "{\"result\":\"error\"}").orElseThrow();
    Settled again = commands.settle(tenant, LEFT, row.id(), "{\"result\":\"error\"}").orElseThrow();

    assertThat(first.first()).isTrue();
    assertThat(second.first()).isFalse();
    assertThat(second.row()).isEqualTo(first.row()).isEqualTo(again.row());
    assertThat(first.row().outcome()).contains("{\"result\":\"done\"}");
    assertThat(first.row().waiter()).contains(WAITER);
    assertThat(first.row().times().settled()).contains(end);
    assertThat(timeline().getFirst().late())
        .containsExactly(new TimelineEntry.Late("{\"result\":\"error\"}", later));
  }

  @Test
  void theSameOutcomeBroughtAgainIsNotALateOne() {
    CommandRow row = commands.await(key(Step.UPGRADE, 1), WAITER, MINT);
    commands.settle(tenant, LEFT, row.id(), "done");

    assertThat(commands.settle(tenant, LEFT, row.id(), "done").orElseThrow().row().outcome())
        .contains("done");
    assertThat(timeline().getFirst().late()).isEmpty();
  }

  @Test
  void anAgentThatGoesOnTalkingDoesNotFillTheTable() {
    CommandRow row = commands.await(key(Step.UPGRADE, 1), WAITER, MINT);
    for (int i = 0; i < 30; i++) {
      commands.settle(tenant, LEFT, row.id(), "outcome " + i);
    }

    assertThat(timeline().getFirst().late()).hasSize(16);
  }

  @Test
  void nobodyAnswersForAnotherHost() {
    CommandRow row = commands.await(key(Step.UPGRADE, 1), WAITER, MINT);

    assertThat(commands.find(tenant, RIGHT, row.id())).isEmpty();
    assertThat(commands.settle(tenant, RIGHT, row.id(), "done")).isEmpty();
    commands.accepted(tenant, RIGHT, row.id(), clock.instant());
    commands.progressed(tenant, RIGHT, row.id(), "fetching");

    assertThat(commands.find(row.key())).contains(row);
    assertThat(commands.settle(tenant, LEFT, "no such command", "done")).isEmpty();
  }

  @Test
  void theRowKnowsWhenItWasPublishedAndWhatStandsInTheSlot() {
    CommandRow row = commands.await(key(Step.UPGRADE, 1), WAITER, MINT);
    Instant published = clock.pass(Duration.ofSeconds(1));
    commands.published(tenant, row.id(), 17);
    clock.pass(Duration.ofMinutes(10));
    commands.published(tenant, row.id(), 23);
    CommandRow cancel = commands.cancel(row.key(), CANCEL).orElseThrow();

    assertThat(row.slot()).isEmpty();
    assertThat(commands.find(row.key()).orElseThrow().slot()).isEqualTo(OptionalLong.of(23));
    commands.published(tenant, cancel.id(), 31);
    CommandRow now = commands.find(row.key()).orElseThrow();
    assertThat(now.slot()).isEqualTo(OptionalLong.of(31));
    assertThat(now.times().published()).contains(published);
    assertThat(now.times().sends()).isEqualTo(2);
  }

  @Test
  void theFirstAcceptedAndTheLastProgressBeforeTheOutcomeCount() {
    CommandRow row = commands.await(key(Step.UPGRADE, 1), WAITER, MINT);
    Instant accepted = clock.pass(Duration.ofSeconds(2));
    commands.accepted(tenant, LEFT, row.id(), clock.instant());
    clock.pass(Duration.ofSeconds(2));
    commands.accepted(tenant, LEFT, row.id(), clock.instant());
    commands.progressed(tenant, LEFT, row.id(), "fetching 10 %");
    commands.progressed(tenant, LEFT, row.id(), "fetching 90 %");
    commands.settle(tenant, LEFT, row.id(), "done");
    commands.progressed(tenant, LEFT, row.id(), "too late");

    CommandRow now = commands.find(row.key()).orElseThrow();
    assertThat(now.times().accepted()).contains(accepted);
    assertThat(now.progress()).contains("fetching 90 %");
  }

  @Test
  void theTimelineIsInTheOrderOfMinting() {
    commands.await(key(Step.PREPARE, 1), WAITER, MINT);
    clock.pass(Duration.ofSeconds(1));
    CommandRow upgrade = commands.await(key(Step.UPGRADE, 1), WAITER, MINT);
    clock.pass(Duration.ofSeconds(1));
    CommandRow cancel = commands.cancel(upgrade.key(), CANCEL).orElseThrow();
    commands.await(new CommandKey(tenant, "u2", LEFT, Step.PREPARE, 1), WAITER, MINT);

    assertThat(timeline())
        .extracting(entry -> entry.key().step())
        .containsExactly(Step.PREPARE, Step.UPGRADE, Step.CANCEL);
    assertThat(timeline())
        .extracting(TimelineEntry::cancelledBy)
        .containsExactly(Optional.empty(), Optional.of(cancel.id()), Optional.empty());
  }

  @Test
  void whatTheAgentSaysIsKeptExactly() {
    CommandRow row = commands.await(key(Step.UPGRADE, 1), WAITER, MINT);
    String said =
        "{\"text\":\"Grüße ☂ 😀 \\u0000 \\\\\"," + "\"log\":\"" + "x".repeat(60_000) + "\"}";

    commands.settle(tenant, LEFT, row.id(), said);

    assertThat(commands.find(row.key()).orElseThrow().outcome()).contains(said);
  }

  @Test
  void aTextThatNoDatabaseCanKeepIsKeptAsFarAsItCan() {
    CommandRow row = commands.await(key(Step.UPGRADE, 1), WAITER, MINT);

    commands.progressed(tenant, LEFT, row.id(), "a\u0000b\uD83Dc\uD83D\uDE00");

    assertThat(commands.find(row.key()).orElseThrow().progress())
        .contains("a\uFFFDb\uFFFDc\uD83D\uDE00");
  }

  @Test
  void aTenantThatDoesNotExistHasNoCommands() {
    var key = new CommandKey("nobody", "u1", LEFT, Step.UPGRADE, 1);

    assertThatThrownBy(() -> commands.await(key, WAITER, MINT)).isInstanceOf(NoSuchTenant.class);
    assertThatThrownBy(() -> commands.cancel(key, CANCEL)).isInstanceOf(NoSuchTenant.class);
    assertThat(commands.find(key)).isEmpty();
  }
}
