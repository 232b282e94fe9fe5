package dev.uplift.temporaldev.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreeTest {
  private static final String LONG = "x".repeat(600);

  private final FileTree tree =
      new FileTree()
          .addProgram("bin/run", "#!/bin/sh\necho ran\n")
          .addFile("data/block", new byte[512])
          .addAll("data/inner", new FileTree().addFile("long", LONG));

  @TempDir private Path folder;

  @Test
  void whatIsPackedIsUnpackedByTheUsualProgram() throws Exception {
    Files.write(folder.resolve("a.tar.gz"), tree.toTarGz());

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
    assertThat(new FileTree().addFile("b", "2").addFile("a", "1").toTarGz())
        .isEqualTo(new FileTree().addFile("a", "1").addFile("b", "2").toTarGz());
  }

  private void assertThatAllIsThere() throws Exception {
    assertThat(run("bin/run")).isEqualTo("ran\n");
    assertThat(folder.resolve("data/inner/long")).hasContent(LONG);
    assertThat(folder.resolve("data/block")).hasSize(512);
  }

  private String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
