package dev.uplift.activities.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.services.TestStacks;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.workflows.device.StepRequest;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The tables are an older copy: they do not have what Temporal and the host know.
final class RestoredDatabaseTest extends HostUpgradeScenario {
  private static final DatabaseSettings SETTINGS = DatabaseSettings.h2InMemory();
  private static Stack stack;
  private static InProcessServer server;

  @BeforeAll
  static void begin() {
    stack = TestStacks.open();
    stack.nats().start();
    stack.temporal().start();
    server = new InProcessServer(stack, SETTINGS).startWorker();
  }

  @AfterAll
  static void end() {
    server.close();
    stack.close();
  }

  @Override
  protected InProcessServer server() {
    return server;
  }

  /// A host answers a command of a known id with what it has answered before, and does nothing.
  @Test
  void lostCommandIsAskedForUnderTheSameIdAgain() throws Exception {
    start(timeouts(Duration.ofMinutes(5)));
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgradeCommand = host.awaitCommand(CommandAction.UPGRADE);

    forget("command");
    Command again = host.awaitCommandAfter(upgradeCommand);

    assertThat(again.id()).isEqualTo(upgradeCommand.id());
    assertThat(again.order()).isEqualTo(upgradeCommand.order());
    host.sendHeartbeat("1.5.0");
    host.answer(again, "1.5.0", new Done());
    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  /// It is another upgrade, whatever the host has answered to the first one.
  @Test
  void anotherRunOfTheUpgradeHasCommandsOfItsOwn() throws Exception {
    start(withoutResends());
    Command first = host.awaitCommand(CommandAction.PREPARE);
    workflow().terminate("lost");

    forget("command");
    forget("upgrade");
    start(withoutResends());
    Command second = host.awaitCommandAfter(first);

    assertThat(second.action()).isEqualTo(first.action());
    assertThat(second.id()).isNotEqualTo(first.id());
  }

  /// Else an abort would take the host for unchanged, which is at work, and so would a request for the step while the
  /// host is off for its reboot.
  @Test
  void aLostCommandThatTheHostHasBegunIsNotTakenForOneThatWasNeverSent() throws Exception {
    CommandIssuer issuer = server().bean(CommandIssuer.class);
    StepRequest running = stepRequest(Step.UPGRADE);
    Command sent =
        Command.read(
            issuer.issue(running, "run-1", new WaitingActivity("none", "1")).row().toPublish().body().getBytes(UTF_8));
    host.accept(sent, "1.4.0");
    forget("command");

    assertThatThrownBy(() -> issuer.issueCancel(stepRequest(Step.CANCEL), running, "run-1"))
        .isInstanceOf(CommandIssuer.LostCommand.class);
    assertThat(issuer.find(running)).isEmpty();
    assertThat(issuer.mayBeSent(running, "run-1")).isTrue();
    assertThat(issuer.mayBeSent(running, "run-2")).isFalse();
  }

  @Test
  void aCommandOfWhichTheHostKnowsNothingIsWithdrawn() throws Exception {
    CommandIssuer issuer = server().bean(CommandIssuer.class);
    StepRequest running = stepRequest(Step.UPGRADE);

    assertThat(issuer.issueCancel(stepRequest(Step.CANCEL), running, "run-1")).isEmpty();
    assertThat(issuer.find(running)).map(CommandRow::isWithdrawn).contains(true);
  }

  private StepRequest stepRequest(Step step) {
    return new StepRequest(
        upgrade,
        device,
        host.id(),
        step,
        1,
        new Release(InProcessServer.PACKAGE, "1.5.0"),
        "1.5.0",
        "",
        Optional.empty(),
        false,
        false,
        false,
        Instant.now().plusSeconds(600),
        Duration.ofSeconds(60));
  }

  private static void forget(String table) throws SQLException {
    try (var connection = DriverManager.getConnection(SETTINGS.url(), SETTINGS.user(), SETTINGS.password());
        var statement = connection.createStatement()) {
      statement.execute("DELETE FROM " + table);
    }
  }
}
