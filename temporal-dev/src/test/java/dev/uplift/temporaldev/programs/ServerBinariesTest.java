package dev.uplift.temporaldev.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.process.StackException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Finds the server programs, with scripts in their place and in that of Go.
final class ServerBinariesTest {
  @TempDir Path folder;

  @Test
  void whatThePathHasInASufficientVersionIsUsed() throws Exception {
    script("temporal", "echo temporal version 1.6.0 '(Server 1.30.0, UI 2.43.0)'");
    script("nats-server", "echo nats-server: v2.10.0");

    assertThat(find().waitFor()).isZero();

    assertThat(Files.readAllLines(folder.resolve("said")))
        .containsExactly(path("temporal").toString(), path("nats-server").toString());
    assertThat(folder.resolve("cache/uplift/servers")).doesNotExist();
  }

  @Test
  void whatIsTooOldOrDoesNotSayItsVersionIsBuiltOnceByOneOfSeveral() throws Exception {
    script("temporal", "echo temporal version 1.4.9 '(Server 1.28.0, UI 2.42.0)'");
    script("nats-server", "exit 1");
    script(
        "go",
        """
        [ "$1" != env ] || { echo go1.26.1; exit; }
        while [ "$1" != -o ]; do shift; done
        echo "$PWD $3" >>'%s/builds'
        sleep 1
        echo '#!/bin/sh' >"$2"
        chmod +x "$2"
        """
            .formatted(folder));

    List<Process> builders = List.of(find(), find(), find());
    for (Process builder : builders) {
      assertThat(builder.waitFor()).isZero();
    }

    assertThat(Files.readAllLines(folder.resolve("builds")))
        .satisfiesExactlyInAnyOrder(
            build -> assertThat(build).endsWith("github.com/temporalio/cli/cmd/temporal"),
            build -> assertThat(build).endsWith("github.com/nats-io/nats-server/v2"));
    try (Stream<Path> built = Files.walk(folder.resolve("cache"))) {
      assertThat(built.map(Path::getFileName).map(Path::toString))
          .contains("temporal", "nats-server")
          .noneMatch(name -> name.endsWith(".part"));
    }
  }

  @Test
  void aBuildThatFailsLeavesNothingAndShowsWhatGoSays() throws Exception {
    script("go", "[ \"$1\" != env ] || { echo go1.26.1; exit; }; echo no such module; exit 1");

    assertThat(find().waitFor()).isEqualTo(1);

    assertThat(Files.readString(folder.resolve("said")))
        .contains("could not build temporal 1.5.1")
        .contains("no such module");
    assertThat(folder.resolve("cache/uplift/servers")).isDirectoryNotContaining("glob:**/temporal");
  }

  @Test
  void aGoThatIsTooOldIsNamedWithWhatToInstall() throws Exception {
    Path old = script("go", "echo go1.22.4");

    assertThatThrownBy(() -> GoToolchain.among(List.of(old), "temporal"))
        .isInstanceOf(StackException.class)
        .hasMessage(
            "needs Go 1.26 or newer to build temporal, and "
                + old
                + " is 1.22.4: install it from https://go.dev/dl,"
                + " or put temporal of a sufficient version on the PATH");
    assertThatThrownBy(() -> GoToolchain.among(List.of(), "temporal"))
        .hasMessageContaining("and none was found: install it");
  }

  @Test
  void versionsAreComparedAsNumbers() {
    assertThat(ToolVersion.parse("nats-server: v2.9.10").orElseThrow())
        .isLessThan(ToolVersion.parse("2.10").orElseThrow());
    assertThat(ToolVersion.parse("go1.26")).contains(new ToolVersion(1, 26, 0));
    assertThat(ToolVersion.parse("devel")).isEmpty();
  }

  private Path path(String program) {
    return folder.resolve("bin").resolve(program);
  }

  private Path script(String name, String text) throws IOException {
    Path script = path(name);
    Files.createDirectories(folder.resolve("bin"));
    Files.writeString(script, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script;
  }

  /// In a process of its own, where PATH and cache are as wished.
  private Process find() throws IOException {
    var builder =
        new ProcessBuilder(
                ProgramLocator.javaCommand(
                    List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                    System.getProperty("java.class.path"),
                    ServerBinaries.class.getName(),
                    List.of()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("said").toFile()));
    builder.environment().put("PATH", folder.resolve("bin") + File.pathSeparator + System.getenv("PATH"));
    builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
    return Reaper.ofThisJvm().start(builder, "tools");
  }
}
