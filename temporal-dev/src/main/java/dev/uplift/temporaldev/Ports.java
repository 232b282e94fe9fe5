package dev.uplift.temporaldev;

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

/// The ports of a stack: free ones, chosen once and kept in a file, since a server that starts
/// again is looked for where it was. They lie outside the range that the kernel takes for outgoing
/// connections; within it, one of those could sit on the port of a server that is just down.
final class Ports {
  private static final int FROM = 10_000;
  private static final Set<Integer> CHOSEN = new HashSet<>();
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Path file;
  private final Map<String, Integer> kept = new TreeMap<>();

  Ports(Path file) {
    this.file = file;
    Folder.read(file).ifPresent(this::read);
  }

  private void read(String text) {
    for (String line : text.lines().toList()) {
      int equals = line.indexOf('=');
      try {
        kept.put(
            line.substring(0, equals).strip(),
            Integer.parseInt(line.substring(equals + 1).strip()));
      } catch (IndexOutOfBoundsException | NumberFormatException e) {
        throw new StackFailure("%s: not a line of the form name=port: %s".formatted(file, line), e);
      }
    }
  }

  /// The port of that name, chosen now if it has none yet.
  synchronized int of(String name) {
    Integer port = kept.get(name);
    if (port == null) {
      port = choose();
      kept.put(name, port);
      var text = new StringBuilder();
      kept.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
      PrivateFile.write(file, text.toString());
    }
    return port;
  }

  /// Throws, with what to do, when somebody else listens on it.
  void checkFree(String name) {
    int port = of(name);
    if (!isFree(port)) {
      throw new StackFailure(
          "port %d, which %s has used before, is taken by another program: end that, or delete the line %s=%d from %s to have another chosen"
              .formatted(port, name, name, port, file));
    }
  }

  private static int choose() {
    int below = lowestForOutgoing();
    synchronized (CHOSEN) {
      for (int tries = 0; tries < 1000; tries++) {
        int port = FROM + RANDOM.nextInt(below - FROM);
        if (!CHOSEN.contains(port) && isFree(port)) {
          CHOSEN.add(port);
          return port;
        }
      }
    }
    throw new StackFailure("found no free port between %d and %d".formatted(FROM, below));
  }

  private static int lowestForOutgoing() {
    return Folder.read(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))
        .map(range -> range.split("\\s+", -1)[0])
        .map(Integer::parseInt)
        .filter(low -> low > FROM + 1000)
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
