package dev.uplift.api.health;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The labels that a PromQL expression asks a metric for, in its matchers and in each `by (…)` around it. As much of
/// the language as alerts and dashboard use: `sum by (a, b) (metric{c="d"})`.
record QueriedLabels(String metric, Set<String> labels) {
  /// Prometheus adds it to what it scrapes.
  private static final String INSTANCE = "instance";

  /// Of the samples of a histogram.
  private static final String BOUND = "le";

  private static final Pattern TEXT = Pattern.compile("\"[^\"]*\"");
  private static final Pattern BY = Pattern.compile("\\bby \\(([^)]*)\\) \\(");
  private static final Pattern METRIC = Pattern.compile("\\b([a-z]\\w*_\\w+)\\b(?!\\()(?:\\{([^}]*)})?");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)");

  /// Returns those of each mention of a metric.
  static List<QueriedLabels> in(String query) {
    String bare = TEXT.matcher(query).replaceAll("\"\"");
    List<QueriedLabels> found = new ArrayList<>();
    List<Group> groups = BY.matcher(bare).results().map(by -> Group.of(bare, by)).toList();
    Matcher metric = METRIC.matcher(BY.matcher(bare).replaceAll(QueriedLabels::blank));
    while (metric.find()) {
      Set<String> labels = new TreeSet<>();
      if (metric.group(2) != null) {
        MATCHER.matcher(metric.group(2)).results().map(label -> label.group(1)).forEach(labels::add);
      }
      int at = metric.start();
      groups.stream().filter(group -> group.contains(at)).forEach(group -> labels.addAll(group.labels()));
      found.add(new QueriedLabels(metric.group(1), labels));
    }
    return found;
  }

  /// Keeps the places of everything else.
  private static String blank(MatchResult part) {
    return " ".repeat(part.group().length());
  }

  /// Returns those that the metric does not have.
  ///
  /// @param exported the labels of a metric, without bounds
  Set<String> missing(Function<String, Set<String>> exported) {
    Set<String> missing = new TreeSet<>(labels);
    missing.removeAll(exported.apply(metric));
    missing.remove(INSTANCE);
    if (metric.endsWith("_bucket")) {
      missing.remove(BOUND);
    }
    return missing;
  }

  /// What is aggregated by labels.
  private record Group(Set<String> labels, int from, int until) {
    static Group of(String query, MatchResult by) {
      int depth = 1;
      int at = by.end();
      for (; at < query.length() && depth > 0; at++) {
        depth +=
            switch (query.charAt(at)) {
              case '(' -> 1;
              case ')' -> -1;
              default -> 0;
            };
      }
      return new Group(new TreeSet<>(Stream.of(by.group(1).split(",", -1)).map(String::strip).toList()), by.end(), at);
    }

    boolean contains(int at) {
      return at >= from && at < until;
    }
  }
}
