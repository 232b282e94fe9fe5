package dev.uplift.agent;

import dev.uplift.protocol.CommandResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/// A real nats-server and releases of the agent for all tests of a class, and a host for each of them.
@TestInstance(Lifecycle.PER_CLASS)
abstract class SelfUpgradeScenario {
  static final CommandResult DONE = new CommandResult.Done();

  final AgentTestbed testbed;
  final AgentReleases releases;
  SelfUpgradingHost host;
  private int hosts;

  /// @param variants of [AgentReleases]
  SelfUpgradeScenario(String... variants) throws Exception {
    testbed = AgentTestbed.open();
    releases = new AgentReleases(testbed, variants);
  }

  @BeforeEach
  final void create() {
    host = new SelfUpgradingHost(testbed, newName());
  }

  /// Returns a name that no host has had.
  final String newName() {
    return "host-" + ++hosts;
  }

  @AfterEach
  final void end() {
    host.close();
  }

  @AfterAll
  final void close() {
    releases.close();
    testbed.close();
  }
}
