package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.temporaldev.programs.UpliftHome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// No library, and no other version of one, gets into a program unseen. This module depends on all others, so its class
/// path has the libraries of all of them.
class DependencyReviewTest {
  /// `…/repository/com/google/code/gson/gson/2.10.1/gson-2.10.1.jar`.
  private static final Pattern JAR = Pattern.compile(".*/repository/(.+)/([^/]+)/([^/]+)/[^/]+\\.jar");

  private static final String OURS = "dev.uplift";

  @Test
  void everyLibraryIsReviewedInItsVersion() throws IOException {
    SortedSet<String> used = usedLibraries();
    SortedSet<String> reviewed = reviewedLibraries();

    assertThat(used).as("the class path has libraries").hasSizeGreaterThan(50);
    assertThat(difference(used, reviewed)).as("used, but not reviewed: see .ci/dependencies.txt").isEmpty();
    assertThat(difference(reviewed, used)).as("in .ci/dependencies.txt, but not used any more").isEmpty();
  }

  private static SortedSet<String> difference(SortedSet<String> all, SortedSet<String> less) {
    return all.stream().filter(each -> !less.contains(each)).collect(Collectors.toCollection(TreeSet::new));
  }

  private static SortedSet<String> usedLibraries() {
    String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(classPath.split(Pattern.quote(File.pathSeparator)))
        .flatMap(jar -> library(jar).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Optional<String> library(String path) {
    Matcher jar = JAR.matcher(path.replace(File.separatorChar, '/'));
    return jar.matches()
        ? Optional.of(jar.group(1).replace('/', '.') + ":" + jar.group(2) + ":" + jar.group(3))
            .filter(library -> !library.startsWith(OURS + ":"))
        : Optional.empty();
  }

  private static SortedSet<String> reviewedLibraries() throws IOException {
    Path list = UpliftHome.find().resolve(".ci/dependencies.txt");
    try (Stream<String> lines = Files.lines(list)) {
      return lines.filter(line -> !line.startsWith("#")).collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
