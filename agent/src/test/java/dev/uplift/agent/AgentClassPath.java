package dev.uplift.agent;

import dev.uplift.protocol.Command;
import io.nats.client.Nats;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The class path of the agent in these tests: packed jars, and folders of classes.
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
