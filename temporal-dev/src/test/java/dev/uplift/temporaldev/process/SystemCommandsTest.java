package dev.uplift.temporaldev.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Commands that a stack cannot do without, as they fail.
class SystemCommandsTest {
  @Test
  void aCommandThatFailsIsQuoted() {
    List<String> command = List.of("/bin/sh", "-c", "echo the disk is full >&2; exit 3");

    assertThatThrownBy(() -> SystemCommands.require("create certificates", command))
        .isInstanceOf(StackException.class)
        .hasMessage("cannot create certificates: sh: ended with 3: the disk is full");
  }

  @Test
  void aCommandThatHangsIsEndedAndSaidToBeLate() {
    List<String> command = List.of("tail", "-f", "/dev/null");

    assertThatThrownBy(() -> SystemCommands.require("create certificates", command, Duration.ofSeconds(1)))
        .isInstanceOf(StackException.class)
        .hasMessage("cannot create certificates: tail: did not end within 1 s");
  }

  @Test
  void aCommandThatDoesNotExistIsNamed() {
    assertThatThrownBy(() -> SystemCommands.require("create certificates", List.of("/nowhere/keytool")))
        .isInstanceOf(StackException.class)
        .hasMessageStartingWith("cannot create certificates: keytool: ")
        .hasMessageContaining("/nowhere/keytool");
  }
}
