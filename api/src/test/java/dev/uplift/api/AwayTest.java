package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.api.server.Answer;
import dev.uplift.api.server.Home;
import dev.uplift.api.server.Operation;
import dev.uplift.api.server.Samples;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.api.server.TestServer;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;
import dev.uplift.store.NewUpgrade;
import dev.uplift.store.Upgrades;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What the server answers while something that it needs is away.
@ExtendWith(SharedServer.class)
final class AwayTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

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
          "denyUpgrade");

  private static final Set<String> NEED_FILES_ALONE = Set.of("getArtifact", "putArtifact");

  private static final Executor THREADS = command -> Thread.ofVirtual().start(command);

  @Test
  void whatNeedsTemporalSaysThatItIsAway(Tenant tenant) {
    thingsOf(tenant);
    // On a device where no upgrade runs.
    Samples samples = Samples.of(tenant).with("device", "door");
    tenant.device("door", "right");

    Map<Operation, Answer> answers =
        together(tenant, samples, operation -> NEED_TEMPORAL.contains(operation.id()));

    assertThat(answers).hasSameSizeAs(NEED_TEMPORAL);
    answers.forEach((operation, answer) -> {
      assertThat(answer.status()).as("%s: %s", operation, answer.text()).isEqualTo(503);
      assertThat(answer.is(503).detail()).contains("Temporal").contains("nothing was done");
      assertThat(answer.header("Retry-After")).isPresent();
    });
    assertThat(tenant.viewer().get(tenant.path("upgrades")).is(200).texts("items", "id"))
        .containsExactly("u-1");
    assertThat(tenant.viewer().get(tenant.path("audit")).is(200).texts("items", "action"))
        .noneMatch(action -> action.startsWith("upgrade."));
  }

  @Test
  void readsGoOnWithoutTemporal(Tenant tenant) {
    thingsOf(tenant);

    Map<Operation, Answer> answers =
        together(
            tenant,
            Samples.of(tenant),
            operation -> !operation.changes() && !operation.id().startsWith("follow"));

    answers.forEach((operation, answer) ->
        assertThat(answer.status()).as("%s: %s", operation, answer.text()).isEqualTo(200));
    assertThat(answers.keySet()).extracting(Operation::id).contains("getUpgrade");
    answers.entrySet().stream()
        .filter(answer -> answer.getKey().id().equals("getUpgrade"))
        .map(answer -> answer.getValue().json())
        .forEach(upgrade -> {
          assertThat(upgrade.path("not_known").asString()).contains("Temporal");
          assertThat(upgrade.path("timeline").isArray()).isTrue();
        });
  }

  @Test
  void changesThatDoNotNeedTemporalAreMade(Tenant tenant) {
    thingsOf(tenant);
    tenant.device("door", "right");

    tenant.admin().send("PATCH", tenant.path("devices/gate"), "{\"zone\":\"Asia/Tokyo\"}").is(200);
    tenant.operator().send("POST", tenant.path("devices/gate/hold"), "{\"reason\":\"x\"}").is(200);
    tenant.admin().delete(tenant.path("devices/door")).is(204);
  }

  @Test
  void everythingThatNeedsTheDatabaseSaysThatItIsAway(@TempDir Path files) throws Exception {
    Server database = serve(files, "0");
    String port = String.valueOf(database.getPort());
    try (TestServer server = on("jdbc:h2:tcp://127.0.0.1:" + port + "/./uplift")) {
      Tenant tenant = server.newTenant();
      thingsOf(tenant);

      database.stop();
      Map<Operation, Answer> answers =
          together(
              tenant, Samples.of(tenant), operation -> !NEED_FILES_ALONE.contains(operation.id()));

      answers.forEach((operation, answer) -> {
        assertThat(answer.status()).as("%s: %s", operation, answer.text()).isEqualTo(503);
        assertThat(answer.is(503).detail()).startsWith("the database is away");
        assertThat(answer.header("Retry-After")).isPresent();
      });
      assertThat(server.nobody().get("/health/readiness").status()).isEqualTo(503);
      assertThat(server.nobody().get("/health/liveness").status()).isEqualTo(200);

      // Somebody's connection may have the port for a moment.
      database =
          await()
              .atMost(PATIENCE)
              .ignoreException(SQLException.class)
              .until(() -> serve(files, port), _ -> true);
      await()
          .atMost(PATIENCE)
          .until(() -> tenant.viewer().get(tenant.path("devices/gate")).status() == 200);
    } finally {
      database.stop();
    }
  }

  /// Every operation with a token that is meant, at once, for each waits some seconds.
  private static Map<Operation, Answer> together(
      Tenant tenant, Samples samples, Predicate<Operation> meant) {
    Map<Operation, CompletableFuture<Answer>> asked = new LinkedHashMap<>();
    for (Operation operation : Operation.all()) {
      if (operation.needsToken() && meant.test(operation)) {
        var client = tenant.server().anyone("admin", "*");
        asked.put(
            operation,
            CompletableFuture.supplyAsync(() -> samples.send(operation, client), THREADS));
      }
    }
    Map<Operation, Answer> answers = new LinkedHashMap<>();
    asked.forEach((operation, answer) -> answers.put(operation, answer.join()));
    return answers;
  }

  private static void thingsOf(Tenant tenant) {
    Samples samples = Samples.of(tenant);
    tenant.device("gate", "left");
    for (Operation operation : Operation.all()) {
      if (List.of("putArtifact", "publishRelease", "publishRoot", "putLabelWindows")
          .contains(operation.id())) {
        samples.send(operation, tenant.admin()).is(201);
      }
    }
    var upgrade =
        new NewUpgrade(
            "u-1",
            new DeviceId(tenant.name(), "gate"),
            new Release("shopd", "2.0"),
            "ann",
            "{}",
            "run-1");
    assertThat(tenant.server().bean(Upgrades.class).begin(upgrade).isRunning()).isTrue();
    tenant
        .operator()
        .with("Idempotency-Key", "r-1")
        .send(
            "POST",
            tenant.path("rollouts"),
            "{\"package\":\"shopd\",\"version\":\"2.0\",\"selection\":\"true\",\"draft\":true}")
        .is(201);
  }

  private static TestServer on(String databaseUrl) {
    Home home = new Home();
    Map<String, String> environment = home.environment();
    environment.put("UPLIFT_DATABASE_URL", databaseUrl);
    return TestServer.of(home, environment);
  }

  private static Server serve(Path folder, String port) throws SQLException {
    return Server.createTcpServer(
            "-tcpPort", port, "-ifNotExists", "-baseDir", folder.toAbsolutePath().toString())
        .start();
  }
}
