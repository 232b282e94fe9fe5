package dev.uplift.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.uplift.fleet.UpgradeAction.Abort;
import dev.uplift.fleet.UpgradeAction.Approve;
import dev.uplift.fleet.UpgradeAction.Deny;
import dev.uplift.fleet.UpgradeAction.ExtendDeadline;
import dev.uplift.fleet.UpgradeAction.Pause;
import dev.uplift.fleet.UpgradeAction.Resume;
import dev.uplift.fleet.UpgradeAction.RetryStep;
import dev.uplift.fleet.UpgradeAction.SkipHost;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class UpgradeStateTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final Instant DEADLINE = NOON.plus(Duration.ofHours(1));
  private static final HostId LEFT = new HostId("left");
  private static final HostId RIGHT = new HostId("right");

  private static final UpgradeState FORWARD = state(true, false, Optional.empty(), false);
  private static final UpgradeState PAUSED = state(true, true, Optional.empty(), false);
  private static final UpgradeState UNAPPROVED = state(true, false, Optional.of("ann"), false);
  private static final UpgradeState APPROVED = state(true, false, Optional.of("ann"), true);
  private static final UpgradeState STOPPED = state(false, false, Optional.of("ann"), false);
  private static final UpgradeState STOPPED_WHILE_PAUSED = state(false, true, Optional.empty(), false);

  private static final Map<String, UpgradeState> STATES =
      Map.of(
          "forward", FORWARD,
          "paused", PAUSED,
          "unapproved", UNAPPROVED,
          "approved", APPROVED,
          "stopped", STOPPED,
          "stopped-while-paused", STOPPED_WHILE_PAUSED);

  private static final Map<String, UpgradeAction> ACTIONS =
      Map.of(
          "abort", new Abort(),
          "pause", new Pause(),
          "resume", new Resume(),
          "retry-step", new RetryStep(LEFT),
          "skip-host", new SkipHost(LEFT),
          "extend-deadline", new ExtendDeadline(DEADLINE.plusSeconds(1)),
          "approve", new Approve("bob"),
          "deny", new Deny("bob"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          forward              | abort pause retry-step skip-host extend-deadline
          paused               | abort resume retry-step skip-host extend-deadline
          unapproved           | abort pause retry-step skip-host extend-deadline approve deny
          approved             | abort pause retry-step skip-host extend-deadline
          stopped              | retry-step skip-host
          stopped-while-paused | resume retry-step skip-host
          """)
  void acceptsWhatMakesSense(String state, String accepted) {
    UpgradeState now = Objects.requireNonNull(STATES.get(state));

    assertThat(ACTIONS.entrySet())
        .filteredOn(action -> now.refusal(action.getValue(), NOON).isEmpty())
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrder(accepted.split(" "));
  }

  @ParameterizedTest
  @MethodSource
  void refusalSaysWhy(UpgradeState state, UpgradeAction action, String reason) {
    assertThat(state.refusal(action, NOON)).contains(reason);
  }

  /// A changed host goes on past the deadline. A pause would last until then at most.
  @Test
  void pauseIsRefusedFromTheDeadlineOn() {
    assertThat(FORWARD.refusal(new Pause(), DEADLINE.minusMillis(1))).isEmpty();
    assertThat(FORWARD.refusal(new Pause(), DEADLINE))
        .contains("is past its deadline, and is paused once that is extended");
    assertThat(FORWARD.refusal(new ExtendDeadline(DEADLINE.plusSeconds(1)), DEADLINE)).isEmpty();
  }

  static List<Arguments> refusalSaysWhy() {
    String stopped = "is stopped already or rolls back";
    return List.of(
        arguments(STOPPED, new Abort(), stopped),
        arguments(STOPPED_WHILE_PAUSED, new Pause(), stopped),
        arguments(PAUSED, new Pause(), "is paused already"),
        arguments(FORWARD, new Resume(), "is not paused"),
        arguments(FORWARD, new RetryStep(RIGHT), "does not wait for an operator's decision about right"),
        arguments(FORWARD, new SkipHost(RIGHT), "does not wait for an operator's decision about right"),
        arguments(STOPPED, new ExtendDeadline(DEADLINE.plusSeconds(1)), stopped),
        arguments(FORWARD, new ExtendDeadline(DEADLINE), "has until 2026-11-20T13:00:00Z already"),
        arguments(
            FORWARD,
            new ExtendDeadline(NOON.plus(UpgradeState.MAX_DURATION).plusMillis(1)),
            "has at most 14 days from now"),
        arguments(STOPPED, new Approve("bob"), stopped),
        arguments(FORWARD, new Approve("bob"), "needs no approval"),
        arguments(APPROVED, new Deny("bob"), "is approved already"),
        arguments(APPROVED, new Approve("ann"), "is approved already"),
        arguments(UNAPPROVED, new Approve("ann"), "needs the approval of another person than ann"),
        arguments(UNAPPROVED, new Deny("ann"), "needs the approval of another person than ann"));
  }

  private static UpgradeState state(boolean stoppable, boolean paused, Optional<String> author, boolean approved) {
    return new UpgradeState(stoppable, paused, List.of(LEFT), DEADLINE, author, approved);
  }
}
