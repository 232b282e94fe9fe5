package dev.uplift.agent.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.agent.files.FileOps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandJournalTest {
  @TempDir Path folder;

  @Test
  void whatWasBegunIsKnownAfterARestart() throws IOException {
    open().begin("c-1", "the command");

    CommandRecord commandRecord = open().find("c-1").orElseThrow();

    assertThat(commandRecord.command()).isEqualTo("the command");
    assertThat(commandRecord.isAnswered()).isFalse();
  }

  @Test
  void answerIsKnownAfterARestartAndItIsTheFirst() throws IOException {
    CommandJournal journal = open();
    journal.begin("c-1", "the command");
    journal.recordOutcome("c-1", "the answer");
    journal.recordOutcome("c-1", "another answer");

    CommandRecord commandRecord = open().find("c-1").orElseThrow();

    assertThat(commandRecord.outcome()).isEqualTo("the answer");
    assertThat(commandRecord.sent()).isFalse();
    assertThat(commandRecord.command()).isEmpty();
  }

  @Test
  void answerThatWasSentIsKnownAsSent() throws IOException {
    CommandJournal journal = open();
    journal.recordOutcome("c-1", "the answer");
    journal.markSent("c-1");

    assertThat(open().find("c-1").orElseThrow().sent()).isTrue();
  }

  @Test
  void orderedRebootIsKnownAfterARestart() throws IOException {
    CommandJournal journal = open();
    journal.begin("c-1", "the command");
    journal.recordReboot("c-1", "boot-1");

    assertThat(open().find("c-1").orElseThrow().rebootFrom()).isEqualTo("boot-1");
  }

  @Test
  void lastSixtyFourAreKept() throws IOException {
    CommandJournal journal = open();
    for (int i = 1; i <= 100; i++) {
      journal.recordOutcome("c-" + i, "the answer");
    }

    assertThat(open().all()).hasSize(64);
    assertThat(open().find("c-37")).isPresent();
    assertThat(open().find("c-36")).isEmpty();
  }

  @Test
  void whatIsNotAnsweredIsKeptLonger() throws IOException {
    CommandJournal journal = open();
    journal.begin("c-0", "the command");
    for (int i = 1; i <= 100; i++) {
      journal.recordOutcome("c-" + i, "the answer");
    }

    assertThat(open().find("c-0")).isPresent();
  }

  @Test
  void epochNeverFalls() throws IOException {
    CommandJournal journal = open();
    journal.recordEpoch("a", 7);
    journal.recordEpoch("a", 5);

    assertThat(journal.highestEpoch(Set.of("a"))).isEqualTo(7);
    assertThat(open().highestEpoch(Set.of("a"))).isEqualTo(7);
  }

  @Test
  void epochsOfKeysAreCountedApartAndTheHighestOfTheTrustedOnesCounts() throws IOException {
    open().recordEpoch("a", Long.MAX_VALUE);
    open().recordEpoch("b", 5);
    open().recordEpoch("c", 6);

    assertThat(open().highestEpoch(Set.of("b"))).isEqualTo(5);
    assertThat(open().highestEpoch(Set.of("b", "c"))).isEqualTo(6);
    assertThat(open().highestEpoch(Set.of("d"))).isZero();
  }

  @Test
  void epochsOfManyKeysAreBounded() throws IOException {
    CommandJournal journal = open();
    for (int i = 1; i <= 70; i++) {
      journal.recordEpoch("key-" + i, i);
    }

    assertThat(journal.highestEpoch(Set.of("key-6"))).isZero();
    assertThat(journal.highestEpoch(Set.of("key-7"))).isEqualTo(7);
  }

  @Test
  void sequenceOfAPackageFollowsUpgradesAndRollbacks() throws IOException {
    CommandJournal journal = open();
    assertThat(journal.sequence("os")).isZero();
    journal.recordInstalled("os", 3);
    journal.recordInstalled("shopd", 1);
    journal.recordInstalled("os", 5);
    assertThat(open().sequence("os")).isEqualTo(5);

    journal.recordRolledBack("os", 4);
    assertThat(journal.sequence("os")).isEqualTo(5);
    journal.recordRolledBack("os", 5);

    assertThat(open().sequence("os")).isEqualTo(3);
    assertThat(open().sequence("shopd")).isEqualTo(1);
  }

  @Test
  void damagedRecordIsForgotten() throws IOException {
    open().recordOutcome("c-1", "the answer");
    Files.writeString(folder.resolve("commands/c-1.json"), "{\"id\":");

    assertThat(open().all()).isEmpty();
  }

  @Test
  void damagedCountersAreAnErrorForWithoutThemOldOrdersCouldComeBack() throws IOException {
    open().recordEpoch("a", 7);
    Files.writeString(folder.resolve("counters.json"), "{\"epoch\":");

    assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("counters.json");
  }

  private CommandJournal open() throws IOException {
    return CommandJournal.inFolder(FileOps.onDisk(), folder);
  }
}
