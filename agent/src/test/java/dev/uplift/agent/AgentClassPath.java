package dev.uplift.agent;

import dev.uplift.protocol.Command;
import io.nats.client.Nats;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the agent consists of, as these tests have it: what is packed, and what is not yet.
final class AgentClassPath {
  private AgentClassPath() {}

  static String ofAgent() {
    return Stream.of(Agent.class, Command.class, Nats.class)
        .map(AgentClassPath::place)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String place(Class<?> of) {
    try {
      return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
