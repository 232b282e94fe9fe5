package dev.uplift.temporaldev;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeTest {
  private static final String LONG = "x".repeat(600);

  private final Tree tree =
      new Tree()
          .program("bin/run", "#!/bin/sh\necho ran\n")
          .file("data/block", new byte[512])
          .all("data/inner", new Tree().file("long", LONG));

  @TempDir private Path folder;

  @Test
  void whatIsPackedIsUnpackedByTheUsualProgram() throws Exception {
    Files.write(folder.resolve("a.tar.gz"), tree.tarGz());

    assertThat(run("tar", "-xzf", "a.tar.gz")).isEmpty();

    assertThatAllIsThere();
  }

  @Test
  void aFolderGetsTheSameFiles() throws Exception {
    tree.writeTo(folder);

    assertThatAllIsThere();
  }

  @Test
  void equalTreesGiveEqualBytes() {
    assertThat(new Tree().file("b", "2").file("a", "1").tarGz())
        .isEqualTo(new Tree().file("a", "1").file("b", "2").tarGz());
  }

  private void assertThatAllIsThere() throws Exception {
    assertThat(run("bin/run")).isEqualTo("ran\n");
    assertThat(folder.resolve("data/inner/long")).hasContent(LONG);
    assertThat(folder.resolve("data/block")).hasSize(512);
  }

  private String run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
