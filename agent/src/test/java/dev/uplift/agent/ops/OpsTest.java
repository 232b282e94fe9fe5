package dev.uplift.agent.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.agent.files.FileOps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OpsTest {
  @TempDir Path folder;

  @Test
  void whatWasBegunIsKnownAfterARestart() throws IOException {
    open().begin("c-1", "the command", 7);

    Op op = open().find("c-1").orElseThrow();

    assertThat(op.command()).isEqualTo("the command");
    assertThat(op.isAnswered()).isFalse();
    assertThat(open().highestEpoch()).isEqualTo(7);
  }

  @Test
  void answerIsKnownAfterARestartAndItIsTheFirst() throws IOException {
    Ops ops = open();
    ops.begin("c-1", "the command", 7);
    ops.answer("c-1", "the answer");
    ops.answer("c-1", "another answer");

    Op op = open().find("c-1").orElseThrow();

    assertThat(op.outcome()).isEqualTo("the answer");
    assertThat(op.sent()).isFalse();
    assertThat(op.command()).isEmpty();
  }

  @Test
  void answerThatWasSentIsKnownAsSent() throws IOException {
    Ops ops = open();
    ops.answer("c-1", "the answer");
    ops.sent("c-1");

    assertThat(open().find("c-1").orElseThrow().sent()).isTrue();
  }

  @Test
  void orderedRebootIsKnownAfterARestart() throws IOException {
    Ops ops = open();
    ops.begin("c-1", "the command", 7);
    ops.reboot("c-1", "boot-1");

    assertThat(open().find("c-1").orElseThrow().rebootFrom()).isEqualTo("boot-1");
  }

  @Test
  void lastSixtyFourAreKept() throws IOException {
    Ops ops = open();
    for (int i = 1; i <= 100; i++) {
      ops.answer("c-" + i, "the answer");
    }

    assertThat(open().all()).hasSize(64);
    assertThat(open().find("c-37")).isPresent();
    assertThat(open().find("c-36")).isEmpty();
  }

  @Test
  void whatIsNotAnsweredIsKeptLonger() throws IOException {
    Ops ops = open();
    ops.begin("c-0", "the command", 1);
    for (int i = 1; i <= 100; i++) {
      ops.answer("c-" + i, "the answer");
    }

    assertThat(open().find("c-0")).isPresent();
  }

  @Test
  void epochNeverFalls() throws IOException {
    Ops ops = open();
    ops.see(7);
    ops.see(5);

    assertThat(ops.highestEpoch()).isEqualTo(7);
    assertThat(open().highestEpoch()).isEqualTo(7);
  }

  @Test
  void sequenceOfAPackageFollowsWhatWasBroughtAndTakenBack() throws IOException {
    Ops ops = open();
    assertThat(ops.sequence("os")).isZero();
    ops.brought("os", 3);
    ops.brought("shopd", 1);
    ops.brought("os", 5);
    assertThat(open().sequence("os")).isEqualTo(5);

    ops.takenBack("os", 4);
    assertThat(ops.sequence("os")).isEqualTo(5);
    ops.takenBack("os", 5);

    assertThat(open().sequence("os")).isEqualTo(3);
    assertThat(open().sequence("shopd")).isEqualTo(1);
  }

  @Test
  void damagedRecordIsForgotten() throws IOException {
    open().answer("c-1", "the answer");
    Files.writeString(folder.resolve("ops/c-1.json"), "{\"id\":");

    assertThat(open().all()).isEmpty();
  }

  @Test
  void damagedCountersAreAnErrorForWithoutThemOldOrdersCouldComeBack() throws IOException {
    open().see(7);
    Files.writeString(folder.resolve("counters.json"), "{\"epoch\":");

    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("counters.json");
  }

  private Ops open() throws IOException {
    return Ops.inFolder(FileOps.onDisk(), folder);
  }
}
