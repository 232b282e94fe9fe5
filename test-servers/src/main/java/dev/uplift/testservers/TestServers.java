package dev.uplift.testservers;

import dev.uplift.temporaldev.stack.StackBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Optional;

/// Real servers for tests, as containers or as processes: the property `servers` says which, and `auto`, where nothing
/// is said, takes containers where this machine has what they need. What is started here ends with this JVM, also when
/// that is killed.
public final class TestServers {
  private TestServers() {}

  private static final class Chosen {
    static final ServerMode WAY = choose(System.getProperty("servers", "auto"));
  }

  /// A stack in a new folder that is removed with it.
  public static StackBuilder stack() {
    return Chosen.WAY.stack();
  }

  /// A PostgreSQL that runs.
  public static PostgresServer postgres() {
    return postgres(freePort());
  }

  private static int freePort() {
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// As above, but it may be stopped for a while.
  ///
  /// @param port that no program takes meanwhile
  public static PostgresServer postgres(int port) {
    return Chosen.WAY.postgres(port);
  }

  /// Has there what containers need, if they are wished: what the build does before the first test.
  public static void main(String[] args) {
    if (!args[0].equals("processes")) {
      ContainerImages.fetch();
    }
    choose(args[0]);
  }

  private static ServerMode choose(String wish) {
    Optional<String> missing = wish.equals("processes") ? Optional.of("wished") : ContainerImages.missing();
    ServerMode serverMode =
        switch (wish) {
          case "auto" -> missing.isEmpty() ? ServerMode.CONTAINERS : ServerMode.PROCESSES;
          case "processes" -> ServerMode.PROCESSES;
          case "containers" -> {
            missing.ifPresent(what -> {
              throw new IllegalStateException("cannot have servers as containers: " + what);
            });
            yield ServerMode.CONTAINERS;
          }
          default -> throw new IllegalArgumentException("-Dservers=%s: containers, processes or auto".formatted(wish));
        };
    System.out.println("servers of tests: " + serverMode + missing.map(why -> ", " + why).orElse(""));
    return serverMode;
  }
}
