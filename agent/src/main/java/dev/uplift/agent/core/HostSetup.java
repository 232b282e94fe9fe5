package dev.uplift.agent.core;

import dev.uplift.protocol.Subjects;
import java.util.SortedMap;

/// The host that an agent works on, and who the agent is.
///
/// @param instance another one for every start of an agent
/// @param bootId another one for every boot of the host
/// @param packages by name
public record HostSetup(
    String tenant,
    String host,
    String instance,
    String bootId,
    String agentVersion,
    String architecture,
    SortedMap<String, HostPackage> packages) {

  /// As it stands in subjects.
  public String subject() {
    return Subjects.host(tenant, host);
  }
}
