package dev.uplift.api.upgrades;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.LiveServer;
import dev.uplift.api.testing.StubHost;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.UpgradeScenario;
import dev.uplift.protocol.CommandAction;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class UpgradeKeyTest extends UpgradeScenario {
  private static final String TO_1 = "{\"package\":\"shopd\",\"version\":\"1.0\"}";

  UpgradeKeyTest(LiveServer live) {
    super(live);
  }

  @Test
  void theSameKeyIsTheSameUpgrade() {
    try (StubHost host = live.newHost()) {
      String id = id();
      start(host, id, TO_2).expectStatus(201);
      assertThat(start(host, id, TO_2).expectStatus(200).json().path("id").asString()).isEqualTo(id);
      awaitEnd(id);
      assertThat(start(host, id, TO_2).expectStatus(200).json().path("outcome").asString()).isEqualTo("upgraded");
      assertThat(start(host, id, "{\"package\":\"shopd\",\"version\":\"1.0\"}").expectStatus(409).detail())
          .contains("the Idempotency-Key " + id + " is that of the upgrade of");
      assertThat(live.tenant().viewer().get(live.path("audit?target=upgrade/" + id)).texts("items", "action"))
          .containsExactly("upgrade.start");
    }
  }

  @Test
  void theSameKeyWithOtherOptionsIsAConflict() {
    try (StubHost host = live.newHost()) {
      String id = id();
      start(host, id, TO_2).expectStatus(201);
      for (String other :
          List.of("\"allow_downgrade\":true", "\"host_soak_seconds\":1", "\"rollback_scope\":\"host\"")) {
        assertThat(
                start(host, id, "{\"package\":\"shopd\",\"version\":\"2.0\",%s}".formatted(other))
                    .expectStatus(409)
                    .detail())
            .isEqualTo(
                "the Idempotency-Key %s is that of the same upgrade with other options; another upgrade needs another"
                    .formatted(id));
      }
      awaitEnd(id);
    }
  }

  @Test
  void aKeyThatCouldBeTheIdOfARolloutsUpgradeIsRefused() {
    try (StubHost host = live.newHost()) {
      assertThat(start(host, "os-7-2." + host.name(), TO_2).expectStatus(400).errors())
          .containsExactly(
              "Idempotency-Key: expected a key without a dot: ids with a dot belong to upgrades of rollouts");
    }
  }

  @Test
  void withoutAKeyAnIdIsGenerated() {
    try (StubHost host = live.newHost()) {
      TestResponse started =
          live.tenant()
              .operator()
              .send("POST", live.path("devices/" + host.name() + "/upgrades"), TO_2)
              .expectStatus(201);

      assertThat(awaitEnd(started.json().path("id").asString()).path("outcome").asString()).isEqualTo("upgraded");
    }
  }

  @Test
  void twoUpgradesOfADeviceWithOneKeyAtTheSameTimeAreNeverTakenForOneAnother() {
    for (int pair = 0; pair < 15; pair++) {
      try (StubHost host = live.newHost().ignore(CommandAction.PREPARE)) {
        String id = id();

        List<TestResponse> answers = atOnce(2, i -> start(host, id, i == 0 ? TO_2 : TO_1));

        assertThat(answers).extracting(TestResponse::status).containsExactlyInAnyOrder(201, 409);
        assertThat(answers.stream().filter(answer -> answer.status() == 409).map(TestResponse::detail))
            .allSatisfy(why -> assertThat(why).contains("the Idempotency-Key " + id + " is that of the upgrade of"));
        String version = answers.get(0).status() == 201 ? "2.0" : "1.0";
        assertThat(live.tenant().viewer().get(live.path("upgrades/" + id)).json().path("version").asString())
            .isEqualTo(version);
        host.resetBehavior();
        assertThat(awaitEnd(id).path("outcome").asString()).isEqualTo(version.equals("2.0") ? "upgraded" : "no-action");
      }
    }
  }

  @Test
  void fiftyStartsOnTwoDevicesWithOneKeyAreOneUpgradeAndConflicts() {
    try (StubHost left = live.newHost().ignore(CommandAction.PREPARE);
        StubHost right = live.newHost().ignore(CommandAction.PREPARE)) {
      String id = id();

      List<TestResponse> answers = atOnce(50, i -> start(i % 2 == 0 ? left : right, id, TO_2));

      String device =
          live.tenant().viewer().get(live.path("upgrades/" + id)).expectStatus(200).json().path("device").asString();
      assertThat(answers).extracting(TestResponse::status).containsOnly(200, 201, 409).containsOnlyOnce(201);
      for (int i = 0; i < answers.size(); i++) {
        boolean isOfTheOther = !device.equals((i % 2 == 0 ? left : right).name());
        assertThat(answers.get(i).status() == 409).isEqualTo(isOfTheOther);
      }
      left.resetBehavior();
      right.resetBehavior();
      assertThat(awaitEnd(id).path("outcome").asString()).isEqualTo("upgraded");
    }
  }

  /// Sends the requests at the same moment, and returns their answers in order.
  private static List<TestResponse> atOnce(int requests, IntFunction<TestResponse> send) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var begin = new CountDownLatch(1);
      List<Future<TestResponse>> sent =
          IntStream.range(0, requests)
              .mapToObj(i ->
                  threads.submit(() -> {
                    begin.await();
                    return send.apply(i);
                  }))
              .toList();
      begin.countDown();
      return sent.stream().map(UpgradeKeyTest::answer).toList();
    }
  }

  private static TestResponse answer(Future<TestResponse> sent) {
    try {
      return sent.get(60, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
