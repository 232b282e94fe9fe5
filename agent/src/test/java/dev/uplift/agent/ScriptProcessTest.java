package dev.uplift.agent;

import dev.uplift.temporaldev.stack.StackHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// An agent as a process, with an operator's programs.
final class ScriptProcessTest {
  private static AgentTestbed testbed;

  @BeforeAll
  static void open() throws Exception {
    testbed = AgentTestbed.open();
  }

  @AfterAll
  static void close() {
    testbed.close();
  }

  /// AV-48, AV-49: at the start, and in between.
  @Test
  void aVersionThatChangesByItselfIsReported() throws Exception {
    StackHost host = testbed.stack.host(AgentTestbed.TENANT, "scripted");
    Path folder = Files.createDirectories(host.packageFolder("os"));
    Files.writeString(folder.resolve("running"), "22.04\n");
    Path inspect = Files.writeString(folder.resolve("inspect"), "#!/bin/sh\necho version=$(cat running)\n");
    Files.setPosixFilePermissions(inspect, PosixFilePermissions.fromString("rwxr-xr-x"));
    host.withPackage("os", "script", Map.of());
    host.start();
    testbed.awaitHeartbeat(host, heartbeat -> heartbeat.version("os").equals("22.04"));

    Files.writeString(folder.resolve("running"), "22.10\n");

    testbed.awaitHeartbeat(host, heartbeat -> heartbeat.version("os").equals("22.10"));
    host.kill();
  }
}
