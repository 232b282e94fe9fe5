package dev.uplift.agent.report;

import dev.uplift.agent.driver.AgentState;
import dev.uplift.agent.driver.HostPackage;
import dev.uplift.protocol.Subjects;
import java.util.SortedMap;

/// The host that an agent works on, and the agent itself.
///
/// @param instance another one for every start of an agent
/// @param bootId another one for every boot of the host
/// @param packages by name
/// @param agentState of the agent, as heartbeats show it
public record HostContext(
    String tenant,
    String host,
    String instance,
    String bootId,
    String agentVersion,
    String architecture,
    SortedMap<String, HostPackage> packages,
    AgentState agentState) {

  /// With an agent state of its own.
  public HostContext(
      String tenant,
      String host,
      String instance,
      String bootId,
      String agentVersion,
      String architecture,
      SortedMap<String, HostPackage> packages) {
    this(tenant, host, instance, bootId, agentVersion, architecture, packages, new AgentState());
  }

  /// The host's address in subjects.
  public String subject() {
    return Subjects.hostAddress(tenant, host);
  }
}
