package dev.uplift.e2e;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Checks the statements of the pages about the code, and their links.
final class PagesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /// DESIGN allows about 45; 80 were counted before the names were unified.
  private static final int LONGEST_PATH = 47;

  private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w+)");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern IN_BACKTICKS = Pattern.compile("`([^`\n]+)`");
  private static final Pattern TWO_HUMPS = Pattern.compile("([A-Z][a-z0-9]+){2,}");
  private static final Pattern PAGE_IN_CODE = Pattern.compile("docs/[a-z0-9/-]+\\.md");

  private static final List<Path> PAGES = pages();
  private static final Set<String> TYPES = types("main", "test");

  /// Names of libraries that look like classes of ours.
  private static final Set<String> FOREIGN =
      Set.of(
          "AOTClassLinking",
          "ActivityType",
          "DataType",
          "DoNotSchedule",
          "EventSource",
          "JdbcOperations",
          "LoggerFinder",
          "MessageBodyReader",
          "PrometheusRule",
          "ReadWriteMany",
          "RequestCancellation",
          "RunId",
          "ServiceMonitor",
          "WorkflowId",
          "WorkflowType");

  @Test
  void thePathOfAnUpgradeIsShortAndExists() {
    String page = read(ROOT.resolve("docs/architecture.md"));
    String path = page.split("(?m)^## The path of one upgrade$", 2)[1].split("(?m)^## ", 2)[0];

    List<String> classes =
        path.lines()
            .filter(line -> line.startsWith("|"))
            .flatMap(line -> IN_BACKTICKS.matcher(line).results())
            .map(found -> found.group(1))
            .filter(name -> name.matches("[A-Z]\\w+"))
            .distinct()
            .toList();

    assertThat(classes).hasSizeBetween(25, LONGEST_PATH);
    assertThat(classes).filteredOn(Predicate.not(types("main")::contains)).isEmpty();
  }

  @Test
  void classesInBackticksExist() {
    assertThat(
            PAGES.stream()
                .flatMap(page -> matches(IN_BACKTICKS, page))
                .map(found -> found.group(1).replaceFirst("[.#(].*", ""))
                .filter(TWO_HUMPS.asMatchPredicate())
                .filter(Predicate.not(FOREIGN::contains))
                .filter(Predicate.not(TYPES::contains)))
        .isEmpty();
  }

  @Test
  void linksLeadToPagesAndHeadings() {
    assertThat(PAGES.stream().flatMap(PagesTest::deadLinks)).isEmpty();
  }

  @Test
  void pagesThatTheCodeNamesExist() {
    assertThat(
            sources("main", "test")
                .flatMap(source -> matches(PAGE_IN_CODE, source))
                .map(found -> ROOT.resolve(found.group())))
        .isNotEmpty()
        .allSatisfy(page -> assertThat(page).exists());
  }

  @Test
  void decisionsHaveOneTemplateAndAnIndex() {
    Path folder = ROOT.resolve("docs/decisions");
    String index = read(folder.resolve("README.md"));

    assertThat(filesBelow(folder, ".md"))
        .filteredOn(page -> !page.endsWith("README.md"))
        .isNotEmpty()
        .allSatisfy(page -> {
          assertThat(read(page).lines().filter(line -> line.startsWith("## ")))
              .containsExactly("## Status", "## Context", "## Decision", "## Consequences", "## Alternatives");
          assertThat(index).contains("(" + page.getFileName() + ")");
        });
  }

  private static Stream<String> deadLinks(Path page) {
    return matches(LINK, page)
        .map(found -> found.group(1))
        .filter(link -> !link.matches("[a-z]+:.*") && !leadsSomewhere(page, link))
        .map(link -> ROOT.relativize(page) + ": " + link);
  }

  private static boolean leadsSomewhere(Path page, String link) {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
  }

  /// Returns the anchors that GitHub creates from the headings.
  private static Set<String> anchors(Path page) {
    return read(page)
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
        .collect(toSet());
  }

  private static Set<String> types(String... sourceSets) {
    return sources(sourceSets).flatMap(source -> matches(TYPE, source)).map(found -> found.group(1)).collect(toSet());
  }

  private static Stream<Path> sources(String... sourceSets) {
    var all = new TreeSet<Path>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.toList()) {
        for (String sourceSet : sourceSets) {
          Path folder = module.resolve("src").resolve(sourceSet).resolve("java");
          if (Files.isDirectory(folder)) {
            all.addAll(filesBelow(folder, ".java"));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all.stream();
  }

  private static List<Path> pages() {
    var all = new TreeSet<>(filesBelow(ROOT.resolve("docs"), ".md"));
    all.add(ROOT.resolve("README.md"));
    all.add(ROOT.resolve("CHANGELOG.md"));
    return List.copyOf(all);
  }

  private static List<Path> filesBelow(Path folder, String suffix) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(suffix)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<MatchResult> matches(Pattern pattern, Path file) {
    return pattern.matcher(read(file)).results();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
