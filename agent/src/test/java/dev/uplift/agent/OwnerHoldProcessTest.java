package dev.uplift.agent;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.PackageHold;
import dev.uplift.protocol.WireErrorClass;
import dev.uplift.temporaldev.stack.StackHost;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the owner of a host holds, by the command `hold` beside an agent that runs as a process.
final class OwnerHoldProcessTest {
  private static AgentTestbed testbed;
  private static int hosts;

  private StackHost host;

  @BeforeAll
  static void open() throws Exception {
    testbed = AgentTestbed.open();
  }

  @AfterAll
  static void close() throws Exception {
    testbed.close();
  }

  @BeforeEach
  void start() {
    hosts++;
    host = testbed.host("owned-" + hosts).setting("heartbeat_seconds", 1);
    host.start();
  }

  @AfterEach
  void kill() {
    host.kill();
  }

  @Test
  void aHeldPackageIsToldAndNotInstalledUntilTheOwnerEndsTheHold() throws Exception {
    Instant until = Instant.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);
    var held = host.hold("shopd", "--reason", "stocktaking", "--until", until.toString());
    assertThat(held.output()).contains("shopd is held by its owner (").endsWith(") until " + until + ": stocktaking\n");
    assertThat(held.exitCode()).isZero();

    AgentInfo told = testbed.awaitInfo(host, info -> info.holds().containsKey("shopd"));
    PackageHold hold = requireNonNull(told.holds().get("shopd"));
    assertThat(hold.reason()).isEqualTo("stocktaking");
    assertThat(hold.by()).isNotEmpty();
    assertThat(hold.until()).contains(until);
    assertDeclined(testbed.draft(CommandAction.PREPARE));

    host.kill();
    host.start();
    assertDeclined(testbed.draft(CommandAction.PREPARE));
    assertThat(host.hold().output()).contains(": stocktaking");

    assertThat(host.hold("shopd", "--end").exitCode()).isZero();
    var _ = testbed.awaitInfo(host, info -> info.holds().isEmpty() && info.at().isAfter(told.at()));
    assertThat(result(testbed.draft(CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());
    assertThat(result(testbed.draft(CommandAction.UPGRADE))).isEqualTo(new CommandResult.Done());
  }

  @Test
  void anOverrideInstallsAndWhatWasInstalledCanBeRolledBackUnderAHold() throws Exception {
    assertThat(host.hold("shopd", "--reason", "stocktaking").exitCode()).isZero();

    assertThat(result(testbed.draft(CommandAction.PREPARE).overrideHold(true))).isEqualTo(new CommandResult.Done());
    assertDeclined(testbed.draft(CommandAction.UPGRADE));
    assertThat(result(testbed.draft(CommandAction.UPGRADE).overrideHold(true))).isEqualTo(new CommandResult.Done());
    assertThat(result(testbed.draft(CommandAction.ROLLBACK))).isEqualTo(new CommandResult.Done());
  }

  @Test
  void aHoldWhoseTimeIsOverHoldsNothing() throws Exception {
    assertThat(host.hold("shopd", "--reason", "stocktaking", "--until", "2026-01-01T00:00:00Z").exitCode()).isZero();

    assertThat(result(testbed.draft(CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());
  }

  @Test
  void aWrongCommandChangesNothingAndSaysWhatIsExpected() {
    assertThat(host.hold("shopd").output()).contains("--reason: expected why the package is held, or --end");
    assertThat(host.hold("shopd").exitCode()).isEqualTo(2);
    assertThat(host.hold("other", "--reason", "x").output()).contains("this host has no package other");
    assertThat(host.hold("shopd", "--reason", "x", "--until", "soon").exitCode()).isEqualTo(2);
    assertThat(host.hold("shopd", "--reason", "x", "--end").exitCode()).isEqualTo(2);
    var ended = host.hold("shopd", "--end");
    assertThat(ended.output()).contains("shopd is not held");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(host.hold().output()).isEmpty();
  }

  private void assertDeclined(TestCommandBuilder draft) throws Exception {
    assertThat(result(draft))
        .isInstanceOfSatisfying(
            CommandResult.Failed.class,
            failed -> {
              assertThat(failed.code()).isEqualTo("held-by-owner");
              assertThat(failed.errorClass()).isEqualTo(WireErrorClass.DECLINED);
              assertThat(failed.text()).contains("stocktaking");
            });
  }

  private CommandResult result(TestCommandBuilder draft) throws Exception {
    Command command = testbed.send(host, draft);
    return ((Event.Outcome) testbed.outcome(command).content()).result();
  }
}
