package dev.uplift.workflows.barrier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.barrier.BarrierCounts;
import dev.uplift.fleet.barrier.BarrierState;
import dev.uplift.fleet.barrier.WhenNotHalted;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// An activity may return what it has read before a request was recorded after the request.
final class BarrierStatusTest {
  private static final Optional<String> NOT_ASKED = Optional.empty();
  private static final Optional<String> ANN = Optional.of("ann");

  @Test
  void whatWasReadBeforeARequestIsOlder() {
    BarrierStatus halted = status(BarrierState.HALTED, NOT_ASKED, NOT_ASKED);

    assertThat(halted.isOlderThan(status(BarrierState.HALTED, ANN, NOT_ASKED))).isTrue();
    assertThat(halted.isOlderThan(status(BarrierState.HALTED, NOT_ASKED, ANN))).isTrue();
    assertThat(halted.isOlderThan(status(BarrierState.RESUMING, NOT_ASKED, NOT_ASKED))).isTrue();
    assertThat(halted.isOlderThan(halted)).isFalse();
    assertThat(halted.isOlderThan(status(BarrierState.HALTING, NOT_ASKED, NOT_ASKED))).isFalse();
    assertThat(status(BarrierState.HALTED, NOT_ASKED, ANN).isOlderThan(halted)).isFalse();
  }

  private static BarrierStatus status(BarrierState state, Optional<String> continuedBy, Optional<String> abortedBy) {
    return new BarrierStatus(
        state,
        new BarrierCounts(0, 12, 0, 0),
        false,
        WhenNotHalted.ABORT,
        continuedBy,
        abortedBy,
        List.of(),
        Optional.empty(),
        "");
  }
}
