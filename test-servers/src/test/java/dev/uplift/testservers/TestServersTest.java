package dev.uplift.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.stack.Stack;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The guarantees that tests rely on, for containers and for processes.
final class TestServersTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @Test
  void natsAndTemporalAreKilledAndStartedAgainWhereTheyWere() throws Exception {
    try (Stack stack = TestServers.stack().open()) {
      stack.nats().start();
      stack.temporal().start();
      int port = stack.nats().port();

      stack.nats().kill();
      assertThat(listens(port)).isFalse();
      stack.nats().start();
      stack.temporal().stop();
      stack.temporal().start();

      assertThat(stack.nats().port()).isEqualTo(port);
      assertThat(listens(port)).isTrue();
      assertThat(stack.processes()).hasSize(2);
      assertThat(Files.readString(stack.nats().logFile())).contains("Server is ready");
    }
  }

  @Test
  void whoIsPausedIsThereAndSaysNothing() throws Exception {
    try (Stack stack = TestServers.stack().open()) {
      stack.nats().start();
      stack.nats().pause();
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), stack.nats().port())) {
        stack.nats().resume();
        assertThat(socket.getInputStream().read()).isEqualTo('I');
      }
    }
  }

  @Test
  void postgresqlHasItsDataAfterAKill() throws SQLException {
    try (PostgresServer postgresServer = TestServers.postgres()) {
      String url = postgresServer.url("postgres");
      execute(postgresServer, "CREATE TABLE kept (id int)");

      postgresServer.kill();
      assertThatThrownBy(() -> connect(postgresServer)).isInstanceOf(SQLException.class);
      postgresServer.start();

      assertThat(postgresServer.url("postgres")).isEqualTo(url);
      execute(postgresServer, "INSERT INTO kept VALUES (1)");
    }
  }

  @Test
  void versionsAreTheSameAsContainersAndAsProcesses() throws Exception {
    String pinned = Files.readString(Path.of("../temporal-dev/go.mod"));
    assertThat(pinned)
        .contains("github.com/nats-io/nats-server/v2 v" + version("nats-server"))
        .contains("github.com/temporalio/cli v" + version("temporal"));
    try (PostgresServer postgresServer = TestServers.postgres();
        Connection connection = connect(postgresServer)) {
      assertThat(connection.getMetaData().getDatabaseProductVersion()).startsWith(version("postgres"));
    }
  }

  @Test
  void whatAKilledJvmHasStartedEndsToo() throws Exception {
    Process victim = Reaper.ofThisJvm().start(command(), "victim");
    List<Integer> ports;
    try (BufferedReader said = victim.inputReader()) {
      ports =
          said.lines()
              .filter(line -> line.startsWith(KillableServers.PORT))
              .limit(2)
              .map(line -> Integer.valueOf(line.substring(KillableServers.PORT.length())))
              .toList();
    }
    assertThat(ports).hasSize(2).allMatch(TestServersTest::listens);

    victim.destroyForcibly().waitFor();

    await().atMost(SOON).until(() -> ports.stream().noneMatch(TestServersTest::listens));
  }

  private static ProcessBuilder command() {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
            "-Dservers=" + System.getProperty("servers", "auto"),
            KillableServers.class.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  private static String version(String program) {
    return ContainerImages.of(program).getVersionPart();
  }

  private static boolean listens(int port) {
    try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private static Connection connect(PostgresServer postgresServer) throws SQLException {
    return DriverManager.getConnection(postgresServer.url("postgres"), postgresServer.user(), "");
  }

  private static void execute(PostgresServer postgresServer, String sql) throws SQLException {
    try (Connection connection = connect(postgresServer);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
