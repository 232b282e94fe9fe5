package dev.uplift.activities.reconciler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.activities.reconciler.FaultIsolation.IsolatedPass;
import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.activities.temporal.TemporalUnavailable;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FaultIsolationTest {
  private final FaultIsolation isolation = new FaultIsolation("policy");
  private final List<String> reconciled = new ArrayList<>();

  @Test
  void theItemsAfterOneThatFailsAreReconciledAndThePassHasFailed() {
    IsolatedPass pass = isolation.beginPass();
    var defect = new IllegalArgumentException("unreadable");

    pass.run("first", () -> reconciled.add("first"));
    pass.run(
        "second",
        () -> {
          throw defect;
        });
    pass.run("third", () -> reconciled.add("third"));

    assertThat(reconciled).containsExactly("first", "third");
    assertThatThrownBy(pass::end)
        .isInstanceOf(IncompletePass.class)
        .hasMessage("1 x policy failed, first: java.lang.IllegalArgumentException: unreadable")
        .hasCause(defect);
  }

  @Test
  void aPassAfterTheDefectIsMendedSucceeds() {
    IsolatedPass before = isolation.beginPass();
    before.run(
        "first",
        () -> {
          throw new IllegalArgumentException("unreadable");
        });
    IsolatedPass after = isolation.beginPass();

    after.run("first", () -> reconciled.add("first"));
    after.end();

    assertThat(reconciled).containsExactly("first");
  }

  @Test
  void thatTemporalIsUnavailableEndsThePassAtOnce() {
    IsolatedPass pass = isolation.beginPass();

    assertThatThrownBy(() ->
            pass.run(
                "first",
                () ->
                    TemporalClients.call(() -> {
                      throw Status.UNAVAILABLE.asRuntimeException();
                    })))
        .isInstanceOf(TemporalUnavailable.class);

    pass.end();
  }
}
