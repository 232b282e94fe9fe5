package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.api.testing.ApiOperation;
import dev.uplift.api.testing.SampleRequests;
import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;
import dev.uplift.services.upgrade.ConcurrentStarts;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// The server's answers while a service that it needs is unavailable.
@ExtendWith(SharedServerExtension.class)
final class UnavailableDependenciesTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  private static final Set<String> NEED_TEMPORAL =
      Set.of(
          "startUpgrade",
          "abortUpgrade",
          "pauseUpgrade",
          "resumeUpgrade",
          "retryStep",
          "skipHost",
          "extendDeadline",
          "approveUpgrade",
          "denyUpgrade",
          "abortBarrier");

  private static final Set<String> WITHOUT_DATABASE = Set.of("getArtifact", "putArtifact", "diagnose");

  private static final Executor THREADS = command -> Thread.ofVirtual().start(command);

  @Test
  void changesThatNeedTemporalAnswer503(TestTenant testTenant) {
    createResources(testTenant);
    // A device without a running upgrade.
    SampleRequests sampleRequests = SampleRequests.of(testTenant).with("device", "door");
    testTenant.putDevice("door", "right");

    Map<ApiOperation, TestResponse> answers =
        together(testTenant, sampleRequests, apiOperation -> NEED_TEMPORAL.contains(apiOperation.id()));

    assertThat(answers).hasSameSizeAs(NEED_TEMPORAL);
    answers.forEach((apiOperation, testResponse) -> {
      assertThat(testResponse.status()).as("%s: %s", apiOperation, testResponse.text()).isEqualTo(503);
      assertThat(testResponse.expectStatus(503).detail()).contains("Temporal").contains("nothing was done");
      assertThat(testResponse.header("Retry-After")).isPresent();
    });
    assertThat(testTenant.viewer().get(testTenant.path("upgrades")).expectStatus(200).texts("items", "id"))
        .containsExactly("u-1");
    assertThat(testTenant.viewer().get(testTenant.path("audit")).expectStatus(200).texts("items", "action"))
        .noneMatch(action -> action.startsWith("upgrade."));
  }

  @Test
  void readsWorkWithoutTemporal(TestTenant testTenant) {
    createResources(testTenant);
    send(testTenant, "setPin", "moveChannel", "putOsUpgrade", "putWebhook");

    Map<ApiOperation, TestResponse> answers =
        together(
            testTenant,
            SampleRequests.of(testTenant),
            apiOperation -> !apiOperation.isWrite() && !apiOperation.id().startsWith("stream"));

    answers.forEach((apiOperation, testResponse) ->
        assertThat(testResponse.status()).as("%s: %s", apiOperation, testResponse.text()).isEqualTo(200));
    assertThat(answers.keySet()).extracting(ApiOperation::id).contains("getUpgrade");
    answers.entrySet().stream()
        .filter(answer -> answer.getKey().id().equals("getUpgrade"))
        .map(answer -> answer.getValue().json())
        .forEach(upgrade -> {
          assertThat(upgrade.path("unavailable").asString()).contains("Temporal");
          assertThat(upgrade.path("timeline").isArray()).isTrue();
        });
  }

  @Test
  void changesThatDoNotNeedTemporalAreMade(TestTenant testTenant) {
    createResources(testTenant);
    testTenant.putDevice("door", "right");

    testTenant.admin().send("PATCH", testTenant.path("devices/gate"), "{\"zone\":\"Asia/Tokyo\"}").expectStatus(200);
    testTenant.operator().send("POST", testTenant.path("devices/gate/hold"), "{\"reason\":\"x\"}").expectStatus(200);
    testTenant.admin().delete(testTenant.path("devices/door")).expectStatus(204);
  }

  @Test
  void everythingThatNeedsTheDatabaseAnswers503(@TempDir Path files) throws Exception {
    Server database = serve(files, "0");
    String port = String.valueOf(database.getPort());
    try (TestServer server = on("jdbc:h2:tcp://127.0.0.1:" + port + "/./uplift")) {
      TestTenant testTenant = server.newTenant();
      createResources(testTenant);

      database.stop();
      Map<ApiOperation, TestResponse> answers =
          together(
              testTenant, SampleRequests.of(testTenant), apiOperation -> !WITHOUT_DATABASE.contains(apiOperation.id()));

      answers.forEach((apiOperation, testResponse) -> {
        assertThat(testResponse.status()).as("%s: %s", apiOperation, testResponse.text()).isEqualTo(503);
        assertThat(testResponse.expectStatus(503).detail()).startsWith("the database is unavailable");
        assertThat(testResponse.header("Retry-After")).isPresent();
      });
      assertThat(server.anonymousClient().get("/health/readiness").status()).isEqualTo(503);
      assertThat(server.anonymousClient().get("/health/liveness").status()).isEqualTo(200);

      // Another connection may use the port for a moment.
      database = await().atMost(TIMEOUT).ignoreException(SQLException.class).until(() -> serve(files, port), _ -> true);
      await().atMost(TIMEOUT).until(() -> testTenant.viewer().get(testTenant.path("devices/gate")).status() == 200);
    } finally {
      database.stop();
    }
  }

  @Test
  void startWhoseTurnDoesNotComeAnswers503() {
    try (TestServer server = TestServer.withoutDependencies()) {
      TestTenant testTenant = server.newTenant();
      createResources(testTenant);
      testTenant.putDevice("door", "right");
      var othersEnd = new CountDownLatch(1);
      takeAllTurns(server.bean(ConcurrentStarts.class), othersEnd);

      TestResponse refused =
          testTenant
              .operator()
              .send("POST", testTenant.path("devices/door/upgrades"), "{\"package\":\"shopd\",\"version\":\"2.0\"}")
              .expectStatus(503);

      othersEnd.countDown();
      assertThat(refused.detail()).isEqualTo("too many upgrades are being started now; nothing was done, try again");
      assertThat(refused.header("Retry-After")).isPresent();
    }
  }

  private static void takeAllTurns(ConcurrentStarts starts, CountDownLatch end) {
    await()
        .atMost(TIMEOUT)
        .until(() -> {
          THREADS.execute(() -> starts.run(() -> awaitZero(end)));
          return starts.tryRun(Duration.ZERO, () -> "a turn was left").isEmpty();
        });
  }

  private static void awaitZero(CountDownLatch end) {
    try {
      assertThat(end.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Sends every matching operation with a token, in parallel because each waits some seconds.
  private static Map<ApiOperation, TestResponse> together(
      TestTenant testTenant, SampleRequests sampleRequests, Predicate<ApiOperation> meant) {
    Map<ApiOperation, CompletableFuture<TestResponse>> asked = new LinkedHashMap<>();
    for (ApiOperation apiOperation : ApiOperation.all()) {
      if (apiOperation.needsToken() && meant.test(apiOperation)) {
        var testClient = testTenant.server().clientWithRole("admin", "*");
        asked.put(
            apiOperation, CompletableFuture.supplyAsync(() -> sampleRequests.send(apiOperation, testClient), THREADS));
      }
    }
    Map<ApiOperation, TestResponse> answers = new LinkedHashMap<>();
    asked.forEach((apiOperation, answer) -> answers.put(apiOperation, answer.join()));
    return answers;
  }

  /// In the order of the document.
  private static void send(TestTenant testTenant, String... creatingOperations) {
    SampleRequests sampleRequests = SampleRequests.of(testTenant);
    for (ApiOperation apiOperation : ApiOperation.all()) {
      if (List.of(creatingOperations).contains(apiOperation.id())) {
        sampleRequests.send(apiOperation, testTenant.admin()).expectStatus(201);
      }
    }
  }

  private static void createResources(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    send(testTenant, "putArtifact", "publishRelease", "publishRoot", "putLabelWindows", "putPolicy");
    var upgrade =
        new NewUpgrade(
            "u-1", new DeviceId(testTenant.name(), "gate"), new Release("shopd", "2.0"), "ann", "{}", "run-1");
    assertThat(testTenant.server().bean(UpgradeRepository.class).createIfAbsent(upgrade).isRunning()).isTrue();
    testTenant
        .operator()
        .withHeader("Idempotency-Key", "r-1")
        .send(
            "POST",
            testTenant.path("rollouts"),
            "{\"package\":\"shopd\",\"version\":\"2.0\",\"selection\":\"true\",\"draft\":true}")
        .expectStatus(201);
    testTenant
        .operator()
        .withHeader("Idempotency-Key", "b-1")
        .send("POST", testTenant.path("barriers"), "{\"package\":\"shopd\",\"selection\":\"device == 'gate'\"}")
        .expectStatus(201);
  }

  private static TestServer on(String databaseUrl) {
    ServerHome serverHome = new ServerHome();
    Map<String, String> environment = serverHome.environment();
    environment.put("UPLIFT_DATABASE_URL", databaseUrl);
    return TestServer.of(serverHome, environment);
  }

  private static Server serve(Path folder, String port) throws SQLException {
    return Server.createTcpServer("-tcpPort", port, "-ifNotExists", "-baseDir", folder.toAbsolutePath().toString())
        .start();
  }
}
