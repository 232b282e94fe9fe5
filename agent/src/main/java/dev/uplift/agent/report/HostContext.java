package dev.uplift.agent.report;

import dev.uplift.agent.driver.AgentState;
import dev.uplift.agent.driver.HostPackage;
import dev.uplift.protocol.Subjects;
import java.util.SortedMap;

/// The host that an agent works on, and who the agent is.
///
/// @param instance another one for every start of an agent
/// @param bootId another one for every boot of the host
/// @param packages by name
/// @param agentState what is shown of the agent
public record HostContext(
    String tenant,
    String host,
    String instance,
    String bootId,
    String agentVersion,
    String architecture,
    SortedMap<String, HostPackage> packages,
    AgentState agentState) {

  /// Of an agent that nobody else has something to say about.
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

  /// As it stands in subjects.
  public String subject() {
    return Subjects.hostAddress(tenant, host);
  }
}
