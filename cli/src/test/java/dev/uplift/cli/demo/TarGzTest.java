package dev.uplift.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarGzTest {
  @TempDir private Path folder;

  @Test
  void whatIsPackedIsUnpackedByTheUsualProgram() throws Exception {
    String long600 = "x".repeat(600);
    Files.write(
        folder.resolve("a.tar.gz"),
        new TarGz()
            .program("bin/run", "#!/bin/sh\necho ran\n")
            .file("data/long", long600.getBytes(UTF_8))
            .file("data/block", new byte[512])
            .bytes());

    assertThat(run("tar", "-xzf", "a.tar.gz")).isEmpty();

    assertThat(run("bin/run")).isEqualTo("ran\n");
    assertThat(folder.resolve("data/long")).hasContent(long600);
    assertThat(folder.resolve("data/block")).hasSize(512);
  }

  @Test
  void equalCallsGiveEqualBytes() {
    assertThat(new TarGz().file("a", new byte[3]).bytes())
        .isEqualTo(new TarGz().file("a", new byte[3]).bytes());
  }

  private String run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
