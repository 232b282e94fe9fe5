package dev.uplift.temporaldev.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.uplift.temporaldev.process.SystemCommands;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Unpacks PostgreSQL as on a machine that has none.
final class PostgresProgramsTest {
  @TempDir Path cache;

  @Test
  void programsAreUnpackedOnceAndRun() {
    assumeThat(System.getProperty("os.arch")).isEqualTo("amd64");

    Path programs = PostgresPrograms.unpackedIn(cache);

    assertThat(PostgresPrograms.unpackedIn(cache)).isEqualTo(programs);
    assertThat(cache.toFile().list()).hasSize(1);
    for (String program : List.of("initdb", "postgres")) {
      assertThat(SystemCommands.run(List.of(programs.resolve(program).toString(), "--version")))
          .hasValueSatisfying(said -> assertThat(said).contains("(PostgreSQL) 18."));
    }
  }
}
