package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program with a wrong configuration or command line: one line, and an exit code of its own.
final class AgentStartTest {
  private static final int FATAL_CONFIGURATION = 12;

  @TempDir private Path folder;

  @Test
  void configurationThatIsNotThereIsNamed() throws Exception {
    Path missing = folder.resolve("agent.json");

    assertThat(saysOfConfiguration(missing)).containsExactly("agent: " + missing + ": there is no such file");
  }

  @Test
  void configurationThatIsNoJsonIsNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("agent.json"), "tenant = acme\nhost = left\n");

    assertThat(saysOfConfiguration(file))
        .singleElement()
        .asString()
        .startsWith("agent: " + file + ": ")
        .containsIgnoringCase("json");
  }

  @Test
  void fileThatTheConfigurationNamesInVainIsNamed() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("agent.json"),
            """
            {"tenant":"acme","host":"left","nats_urls":"nats://127.0.0.1:1","state_folder":"state",
            "trust_folder":"trust","boot_id_file":"boot","packages":{}}
            """);

    assertThat(saysOfConfiguration(file))
        .singleElement()
        .asString()
        .startsWith("agent: " + file + ": " + folder.resolve("trust"))
        .endsWith(": there is no such file");
  }

  private List<String> saysOfConfiguration(Path file) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process agent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Agent.class.getName(),
                "--config",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(agent.waitFor()).isEqualTo(FATAL_CONFIGURATION);
    } finally {
      agent.destroyForcibly();
    }
    return Files.readAllLines(output, UTF_8);
  }
}
