package dev.uplift.api;

import io.micronaut.runtime.Micronaut;

/// The program. Its settings are environment variables; `docs/operating.md` has the table.
public final class Server {
  private Server() {}

  public static void main(String[] arguments) {
    Micronaut.build(arguments).mainClass(Server.class).banner(false).start();
  }
}
