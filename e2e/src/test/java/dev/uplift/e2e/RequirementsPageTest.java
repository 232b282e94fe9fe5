package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Compares the page of requirements with the lines of their documents, and with the tests and decisions that it names.
final class RequirementsPageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path PAGE = ROOT.resolve("docs/requirements.md");

  private static final int LINES_OF_AVASSA = 88;
  private static final int LINES_OF_OPEN_HORIZON = 121;

  /// The first line about major versions.
  private static final int FIRST_OF_JUJU = 26;

  private static final int LAST_OF_JUJU = 31;

  private static final Pattern LINE = Pattern.compile("\\b(?:AV|OH|JU)-[0-9]+\\b");
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+Test)\\.(\\w+)`");
  private static final Pattern DECISION = Pattern.compile("\\[([0-9]{4})\\]\\((decisions/\\1-[a-z0-9-]+\\.md)\\)");

  /// A line of a document, as the page answers it.
  private record Answer(String line, String words, String state, String by) {
    boolean is(String other) {
      return state.equals(other);
    }

    List<String> tests() {
      return TEST.matcher(by).results().map(found -> found.group(1) + "." + found.group(2)).toList();
    }

    List<String> decisions() {
      return DECISION.matcher(by).results().map(found -> found.group(2)).toList();
    }
  }

  @Test
  void everyLineIsThereOnceAndInOrder() {
    List<String> expected = new ArrayList<>();
    IntStream.rangeClosed(1, LINES_OF_AVASSA).forEach(number -> expected.add("AV-" + number));
    IntStream.rangeClosed(1, LINES_OF_OPEN_HORIZON).forEach(number -> expected.add("OH-" + number));
    IntStream.rangeClosed(FIRST_OF_JUJU, LAST_OF_JUJU).forEach(number -> expected.add("JU-" + number));

    assertThat(Stream.concat(linesThatAskForNothing(), answers().stream().map(Answer::line)))
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(answers()).extracting(Answer::line).isSortedAccordingTo(Comparator.comparingInt(expected::indexOf));
  }

  @Test
  void everyAnswerHasWordsAndWhatShowsIt() {
    assertThat(answers())
        .allSatisfy(answer -> {
          assertThat(answer.words()).isNotBlank();
          assertThat(answer.state()).isIn("yes", "by design");
        });
    assertThat(answers())
        .filteredOn(answer -> answer.is("yes"))
        .allSatisfy(answer -> assertThat(answer.tests()).as(answer.line()).isNotEmpty());
    assertThat(answers())
        .filteredOn(answer -> answer.is("by design"))
        .allSatisfy(answer -> assertThat(answer.decisions()).as(answer.line()).hasSize(1));
  }

  @Test
  void theTestsExist() {
    assertThat(answers().stream().flatMap(answer -> answer.tests().stream()).distinct())
        .filteredOn(Predicate.not(RequirementsPageTest::isTest))
        .isEmpty();
  }

  @Test
  void theDecisionsExist() {
    assertThat(answers().stream().flatMap(answer -> answer.decisions().stream()).distinct())
        .isNotEmpty()
        .allSatisfy(decision -> assertThat(PAGE.resolveSibling(decision)).exists());
  }

  private static List<Answer> answers() {
    return read(PAGE)
        .lines()
        .filter(line -> line.matches("\\| (AV|OH|JU)-[0-9]+ \\|.*"))
        .map(line -> line.split("\\|", -1))
        .map(cells -> new Answer(cells[1].strip(), cells[2].strip(), cells[3].strip(), cells[4].strip()))
        .toList();
  }

  private static Stream<String> linesThatAskForNothing() {
    String section = read(PAGE).split("(?m)^## Lines that ask for nothing$", 2)[1].split("(?m)^## ", 2)[0];
    return LINE.matcher(section).results().map(found -> found.group());
  }

  /// Returns whether a class of tests of this name has a test of this name.
  private static boolean isTest(String name) {
    String[] parts = name.split("\\.", 2);
    Pattern test =
        Pattern.compile("@(?:Test|ParameterizedTest)\\b[^;{}]*?(?:\\{[^}]*\\}[^;{}]*?)?\\bvoid " + parts[1] + "\\(");
    return source(parts[0]).filter(source -> test.matcher(read(source)).find()).isPresent();
  }

  private static Optional<Path> source(String className) {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src/test/java"))
          .filter(Files::isDirectory)
          .flatMap(RequirementsPageTest::filesBelow)
          .filter(file -> file.endsWith(className + ".java"))
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> filesBelow(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
