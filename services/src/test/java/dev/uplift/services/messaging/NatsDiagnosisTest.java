package dev.uplift.services.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Subjects;
import dev.uplift.services.TestStacks;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.services.diagnosis.DiagnosisFinding.Severity;
import dev.uplift.services.messaging.NatsDiagnosis.StreamCondition;
import dev.uplift.temporaldev.stack.Stack;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NatsDiagnosisTest {
  @Test
  void eachPlantedFaultIsFoundOnARealServer() throws Exception {
    try (Stack stack = TestStacks.open();
        NatsConnection nats = new NatsConnection(TestStacks.natsSettings(stack), new MonotonicClock())) {
      NatsDiagnosis check = new NatsDiagnosis(nats, TestStacks.natsSettings(stack), InstantSource.system());
      assertThat(check.diagnose())
          .singleElement()
          .satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
            assertThat(finding.advice()).contains("start NATS");
          });

      stack.nats().start();
      nats.addInitializer(new StreamProvisioner(1));
      nats.start();
      await().atMost(Duration.ofSeconds(60)).until(() -> nats.status().connected());
      assertThat(check.diagnose()).extracting(DiagnosisFinding::severity).containsOnly(Severity.OK);
      assertThat(check.diagnose())
          .extracting(DiagnosisFinding::text)
          .contains("its clock agrees with that of this server");

      nats.connection().jetStreamManagement().deleteConsumer(Subjects.EVENT_STREAM, Subjects.EVENT_CONSUMER);
      assertThat(check.diagnose())
          .filteredOn(finding -> finding.severity() == Severity.CRITICAL)
          .extracting(DiagnosisFinding::text)
          .containsExactly("NATS has lost consumer event-consumer of EVT");

      InstantSource slow = () -> Instant.now().minus(Duration.ofSeconds(20));
      assertThat(new NatsDiagnosis(nats, TestStacks.natsSettings(stack), slow).diagnose())
          .filteredOn(finding -> finding.severity() == Severity.WARNING)
          .extracting(DiagnosisFinding::text)
          .singleElement()
          .asString()
          .contains("ahead of");
    }
  }

  @Test
  void replicasThatNatsCannotHaveAreReportedWithWhatCorrectsThem() {
    try (Stack stack = TestStacks.open();
        NatsConnection nats = new NatsConnection(TestStacks.natsSettings(stack), new MonotonicClock())) {
      stack.nats().start();
      nats.addInitializer(new StreamProvisioner(3));
      nats.start();
      NatsDiagnosis check = new NatsDiagnosis(nats, TestStacks.natsSettings(stack), InstantSource.system());

      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() ->
              assertThat(check.diagnose())
                  .singleElement()
                  .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
                    assertThat(finding.text()).contains("stream CMD cannot have 3 replicas: NATS says: replicas > 1");
                    assertThat(finding.advice()).contains("UPLIFT_NATS_REPLICAS", "add nats-servers");
                  }));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2.14.3, OK",
    "2.15.0, OK",
    "v2.14.5-RC.1, OK",
    "3.0.0, OK",
    "2.14.2, WARNING",
    "2.9.30, WARNING",
    "of my own, OK",
  })
  void anOldVersionIsReported(String version, Severity severity) {
    assertThat(NatsDiagnosis.judgeVersion(version).severity()).isEqualTo(severity);
  }

  @ParameterizedTest
  @CsvSource({
    "'tls://nats.example.com:4222', OK",
    "'wss://nats.example.com', OK",
    "'nats://127.0.0.1:4222', OK",
    "'localhost:4222', OK",
    "'nats://nats.example.com:4222', WARNING",
    "'nats.example.com', WARNING",
    "'tls://a.example.com, nats://b.example.com', WARNING",
  })
  void aConnectionToAnotherMachineIsToBeEncrypted(String urls, Severity severity) {
    assertThat(judgeEncryption(urls).severity()).isEqualTo(severity);
  }

  @Test
  void aPasswordInAnAddressIsNotShown() {
    assertThat(judgeEncryption("nats://ann:secret@b.example.com").text())
        .isEqualTo("the connection to nats://b.example.com:4222 is not encrypted");
  }

  private static DiagnosisFinding judgeEncryption(String urls) {
    return NatsDiagnosis.judgeEncryption(new NatsSettings(urls, Optional.empty(), Optional.empty(), 1).addresses());
  }

  @ParameterizedTest
  @CsvSource({
    "3, 3, 89, 100, 9999, ''",
    "3, 3, 89, -1, 0, ''",
    "3, 2, 0, 100, 0, 2 of 3 replicas of EVT have all messages",
    "1, 1, 90, 100, 0, 'EVT is 90 % full, and then drops its oldest messages'",
    "1, 1, 0, 100, 10000, '10,000 messages of EVT wait for a server'",
  })
  void aStreamIsJudgedByReplicasSpaceAndBacklog(
      int replicas, long current, long bytes, long maxBytes, long unhandled, String text) {
    assertThat(NatsDiagnosis.judge(new StreamCondition("EVT", replicas, current, bytes, maxBytes, unhandled)))
        .extracting(DiagnosisFinding::text)
        .isEqualTo(text.isEmpty() ? List.of() : List.of(text));
  }
}
