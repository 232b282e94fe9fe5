package dev.uplift.workflows.device;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.Payloads;
import io.temporal.api.common.v1.Payload;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What a server of an earlier version has written and this one reads.
final class OldPayloadsTest {
  @Test
  void orderFromBeforeHandoversNamesNoAgent() {
    StepRequest stepRequest =
        read(
            """
            {"upgrade":"u-1","device":{"tenant":"acme","name":"site-7"},"host":"left",
            "step":"await-heartbeat","generation":1,
            "release":{"package_name":"os","version":"1.5.0"},"wanted":"1.5.0","boot_before":"",
            "allow_downgrade":false,"not_after":"2026-03-29T01:30:00Z"}\
            """,
            StepRequest.class);

    assertThat(stepRequest.step()).isEqualTo(Step.AWAIT_HEARTBEAT);
    assertThat(stepRequest.outgoingInstance()).isEmpty();
  }

  @Test
  void paceFromBeforeHandoversHasTheUsualTimeForThem() {
    UpgradeTimeouts timeouts =
        read(
            """
            {"within":{"await-heartbeat":"PT30S"},"resend":"PT10M","resend_at_most":"PT1H",
            "back_off":"PT1M","abort_grace":"PT5M"}\
            """,
            UpgradeTimeouts.class);

    assertThat(timeouts.stepTimeout(Step.AWAIT_HEARTBEAT)).isEqualTo(Duration.ofSeconds(30));
    assertThat(timeouts.stepTimeout(Step.STOP)).isEqualTo(UpgradeTimeouts.DEFAULTS.stepTimeout(Step.STOP));
    assertThat(timeouts.stepTimeout(Step.AWAIT_SUCCESSOR)).isEqualTo(UpgradeTimeouts.DEFAULTS.stepTimeout(Step.AWAIT_SUCCESSOR));
  }

  private static <T> T read(String json, Class<T> type) {
    Payload payload =
        Payload.newBuilder()
            .putMetadata("encoding", ByteString.copyFrom("json/plain", UTF_8))
            .setData(ByteString.copyFrom(json, UTF_8))
            .build();
    return Payloads.clientOptions().getDataConverter().fromPayload(payload, type, type);
  }
}
