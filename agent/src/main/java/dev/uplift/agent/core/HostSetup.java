package dev.uplift.agent.core;

import dev.uplift.agent.driver.Standing;
import dev.uplift.protocol.Subjects;
import java.util.SortedMap;

/// The host that an agent works on, and who the agent is.
///
/// @param instance another one for every start of an agent
/// @param bootId another one for every boot of the host
/// @param packages by name
/// @param standing what is shown of the agent
public record HostSetup(
    String tenant,
    String host,
    String instance,
    String bootId,
    String agentVersion,
    String architecture,
    SortedMap<String, HostPackage> packages,
    Standing standing) {

  /// Of an agent that nobody else has something to say about.
  public HostSetup(
      String tenant,
      String host,
      String instance,
      String bootId,
      String agentVersion,
      String architecture,
      SortedMap<String, HostPackage> packages) {
    this(tenant, host, instance, bootId, agentVersion, architecture, packages, new Standing());
  }

  /// As it stands in subjects.
  public String subject() {
    return Subjects.host(tenant, host);
  }
}
