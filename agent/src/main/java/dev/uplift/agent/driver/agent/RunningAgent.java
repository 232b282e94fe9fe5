package dev.uplift.agent.driver.agent;

import dev.uplift.agent.driver.AgentState;
import java.util.function.BooleanSupplier;

/// The agent that this process is.
///
/// @param version of this program, as it says itself
/// @param architecture of the host, as `uname -m` says it
/// @param connected whether the server can be reached now
public record RunningAgent(String version, String architecture, AgentState agentState, BooleanSupplier connected) {
  /// Begins to end this process, and returns at once: its end awaits that of the thread that calls.
  public static void exit(int code) {
    Thread.ofPlatform().name("end").start(() -> System.exit(code));
  }
}
