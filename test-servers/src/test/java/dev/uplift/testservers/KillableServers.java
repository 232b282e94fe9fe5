package dev.uplift.testservers;

import dev.uplift.temporaldev.stack.Stack;
import java.net.URI;

/// A JVM that starts servers, says where they are, and waits to be killed.
final class KillableServers {
  static final String PORT = "port ";

  private KillableServers() {}

  public static void main(String[] args) throws Exception {
    Stack stack = TestServers.stack().open();
    stack.nats().start();
    PostgresServer postgresServer = TestServers.postgres();
    System.out.println(PORT + stack.nats().port());
    System.out.println(PORT + port(postgresServer));
    // Until that pipe ends, which the kill comes before.
    System.exit(System.in.read());
  }

  private static int port(PostgresServer postgresServer) {
    return URI.create(postgresServer.url("postgres").substring("jdbc:".length())).getPort();
  }
}
