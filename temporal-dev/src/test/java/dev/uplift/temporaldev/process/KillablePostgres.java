package dev.uplift.temporaldev.process;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;

/// A JVM that runs a PostgreSQL and waits to be killed.
final class KillablePostgres {
  private KillablePostgres() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    Path data = Reaper.ofThisJvm().temporaryFolder("uplift-postgres-");
    Reaper.ofThisJvm().shutDownPostgresAtExit(data);
    EmbeddedPostgres postgres = EmbeddedPostgres.builder().setDataDirectory(data).start();
    Files.writeString(folder.resolve("said"), data + "\n" + postgres.getPort() + "\n");
    Files.createFile(folder.resolve("ready"));
    System.exit(System.in.read());
  }
}
