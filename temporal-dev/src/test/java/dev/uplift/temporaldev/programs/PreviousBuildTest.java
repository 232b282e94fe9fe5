package dev.uplift.temporaldev.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.temporaldev.process.SystemCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PreviousBuildTest {
  private static final String TABLES = "store/src/main/resources/dev/uplift/store/migration/V1__tables.sql";
  private static final String HISTORY = "workflows/src/test/resources/histories/0.1.0/upgraded.json";
  private static final String CODE = "workflows/src/main/java/Workflow.java";

  @TempDir private Path home;

  @BeforeEach
  void createRepository() throws IOException {
    git("init", "--quiet");
    commit(TABLES, "one");
    commit(HISTORY, "one");
  }

  @Test
  void withoutAReleaseItIsTheLastCommitThatChangedTables() throws IOException {
    String changed = commit(TABLES, "two");
    commit(CODE, "new");

    assertThat(PreviousBuild.find(home)).map(PreviousBuild::commit).hasValue(changed);
  }

  @Test
  void aChangedHistoryIsAsGoodAsChangedTables() throws IOException {
    commit(TABLES, "two");
    String changed = commit(HISTORY, "two");
    commit(CODE, "new");

    assertThat(PreviousBuild.find(home)).map(PreviousBuild::commit).hasValue(changed);
  }

  @Test
  void anAddedMigrationOrHistoryChangesNothing() throws IOException {
    String changed = commit(TABLES, "two");
    commit(TABLES.replace("V1__tables", "V2__more"), "new");
    commit(HISTORY.replace("upgraded", "declined"), "new");

    assertThat(PreviousBuild.find(home)).map(PreviousBuild::commit).hasValue(changed);
  }

  @Test
  void theLastReleaseIsTakenWhateverChangedSince() throws IOException {
    commit(CODE, "first");
    git("tag", "v0.1.0");
    String released = commit(CODE, "second");
    git("tag", "v0.2.0");
    commit(CODE, "third");

    assertThat(PreviousBuild.find(home)).map(PreviousBuild::commit).hasValue(released);
  }

  @Test
  void theReleaseThatIsBuiltIsComparedWithTheOneBefore() throws IOException {
    String before = commit(CODE, "first");
    git("tag", "v0.1.0");
    commit(CODE, "second");
    git("tag", "v0.2.0");

    assertThat(PreviousBuild.find(home)).map(PreviousBuild::commit).hasValue(before);
  }

  @Test
  void withoutHistoryThereIsNone() throws IOException {
    Path copy = Files.createDirectory(home.resolve("copy"));
    git("clone", "--quiet", "--depth", "1", "file://" + home, copy.resolve("shallow").toString());

    assertThat(PreviousBuild.find(home)).as("tables and histories were only added").isEmpty();
    assertThat(PreviousBuild.find(copy.resolve("shallow"))).as("a shallow clone").isEmpty();
    assertThat(PreviousBuild.find(Path.of("/"))).as("no clone").isEmpty();
  }

  private String commit(String file, String content) throws IOException {
    Path path = home.resolve(file);
    Files.createDirectories(path.resolveSibling(""));
    Files.writeString(path, content);
    git("add", file);
    git(
        "-c",
        "user.name=Ann",
        "-c",
        "user.email=ann@example.com",
        "commit",
        "--quiet",
        "--message",
        file,
        "--no-verify");
    return git("rev-parse", "HEAD");
  }

  private String git(String... arguments) {
    List<String> command = new ArrayList<>(List.of("git", "-C", home.toString()));
    command.addAll(List.of(arguments));
    Optional<String> output = SystemCommands.run(command);
    assertThat(output).as(String.join(" ", command)).isPresent();
    return output.orElseThrow().strip();
  }
}
