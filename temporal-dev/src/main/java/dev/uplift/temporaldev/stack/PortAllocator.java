package dev.uplift.temporaldev.stack;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.temporaldev.process.StackException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The ports of a stack: free ones, chosen once and kept in a file, because clients expect a restarted server at the
/// same port. They are outside of the range of ephemeral ports, where an outgoing connection could take the port of a
/// stopped server.
final class PortAllocator {
  private static final int LOWEST = 10_000;
  private static final Set<Integer> CHOSEN_IN_THIS_JVM = new HashSet<>();
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Path file;
  private final Map<String, Integer> assigned = new TreeMap<>();

  PortAllocator(Path file) {
    this.file = file;
    LockedFolder.readIfPresent(file).ifPresent(this::parse);
  }

  private void parse(String text) {
    for (String line : text.lines().toList()) {
      int equals = line.indexOf('=');
      try {
        assigned.put(line.substring(0, equals).strip(), Integer.parseInt(line.substring(equals + 1).strip()));
      } catch (IndexOutOfBoundsException | NumberFormatException e) {
        throw new StackException("%s: not a line of the form name=port: %s".formatted(file, line), e);
      }
    }
  }

  /// Returns the port of a name, chosen at the first call.
  synchronized int portOf(String name) {
    Integer port = assigned.get(name);
    if (port == null) {
      port = chooseFree();
      assigned.put(name, port);
      var text = new StringBuilder();
      assigned.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
      PrivateFile.write(file, text.toString());
    }
    return port;
  }

  synchronized boolean isAssigned(String name) {
    return assigned.containsKey(name);
  }

  /// Throws an exception with instructions if another program listens at the port.
  void checkFree(String name) {
    int port = portOf(name);
    if (!isFree(port)) {
      throw new StackException(
          "port %d, which %s has used before, is used by another program: end that, or delete the line %s=%d from %s to choose another port"
              .formatted(port, name, name, port, file));
    }
  }

  private static int chooseFree() {
    int below = lowestEphemeral();
    synchronized (CHOSEN_IN_THIS_JVM) {
      for (int tries = 0; tries < 1000; tries++) {
        int port = LOWEST + RANDOM.nextInt(below - LOWEST);
        if (!CHOSEN_IN_THIS_JVM.contains(port) && isFree(port)) {
          CHOSEN_IN_THIS_JVM.add(port);
          return port;
        }
      }
    }
    throw new StackException("found no free port between %d and %d".formatted(LOWEST, below));
  }

  private static int lowestEphemeral() {
    return LockedFolder.readIfPresent(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))
        .map(range -> range.split("\\s+", -1)[0])
        .map(Integer::parseInt)
        .filter(low -> low > LOWEST + 1000)
        .orElse(32_768);
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
