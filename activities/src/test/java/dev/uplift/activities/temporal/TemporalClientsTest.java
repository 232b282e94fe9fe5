package dev.uplift.activities.temporal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.temporal.serviceclient.RpcRetryOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class TemporalClientsTest {
  @Test
  void whereTheTimeIsOverBeforeTheSdkHasAskedWhatTheServerCanTemporalIsUnavailable() {
    assertThatThrownBy(() ->
            TemporalClients.call(() -> RpcRetryOptions.newBuilder().setExpiration(Duration.ofMillis(-103)).build()))
        .isInstanceOf(TemporalUnavailable.class)
        .hasMessage("Temporal does not answer: the time for it is over")
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anotherIllegalArgumentIsLeftAsItIs() {
    assertThatThrownBy(() ->
            TemporalClients.call(() -> {
              throw new IllegalArgumentException("no such task queue");
            }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no such task queue");
  }
}
