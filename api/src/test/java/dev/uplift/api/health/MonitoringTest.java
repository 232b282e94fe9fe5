package dev.uplift.api.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.LiveServer;
import dev.uplift.api.testing.StubHost;
import dev.uplift.api.testing.UpgradeScenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Compares what `docs/monitoring.md` says, and what alerts and dashboard ask for, with what a server exports that has
/// carried out an upgrade.
final class MonitoringTest extends UpgradeScenario {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String PAGE = read(Path.of("docs/monitoring.md"));
  private static final Path ALERTS = Path.of("charts/uplift/alerts/uplift.yaml");
  private static final Path DASHBOARD = Path.of("charts/uplift/dashboards/uplift.json");

  /// Labels of metrics that only a failure has appear. Each is a metric of Temporal's SDK 1.38.
  private static final Map<String, Set<String>> AFTER_A_FAILURE =
      Map.of(
          "temporal_request_failure_total",
          Set.of("operation", "status_code"),
          "temporal_sticky_cache_total_forced_eviction_total",
          Set.of(),
          "temporal_workflow_task_execution_failed_total",
          Set.of("workflow_type"));

  /// What is exported at last, of all that is counted every few seconds.
  private static final List<Pattern> AN_UPGRADE_LATER =
      Stream.of(
              "uplift_fleet_counts_age_seconds \\d",
              "uplift_devices [1-9]",
              "uplift_hosts\\{presence=\"online\"} [1-9]",
              "uplift_upgrades_ended_total\\{outcome=\"upgraded\"} [1-9]",
              "uplift_command_answer_seconds_count\\{step=\"upgrade\"} [1-9]",
              "uplift_nats_connected 1",
              "uplift_stream_messages\\{stream=\"EVT\"} [1-9]",
              "uplift_consumer_pending\\{consumer=\"event-consumer\",stream=\"EVT\"} 0",
              "uplift_temporal_connected 1",
              "uplift_task_queue_backlog\\{task_queue=\"upgrade\",type=\"workflow\"} 0",
              "uplift_task_queue_pollers\\{task_queue=\"upgrade\",type=\"activity\"} [1-9]",
              "uplift_task_queue_pollers\\{task_queue=\"upgrade\",type=\"workflow\"} [1-9]")
          .map(line -> Pattern.compile("(?m)^" + line))
          .toList();

  private static final Pattern TYPE = Pattern.compile("# TYPE (\\w+) (\\w+)");
  private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");
  private static final Pattern ROW = Pattern.compile("\\| `(uplift_\\w+)` \\| (\\w+) \\| ([^|]*)\\|.*");
  private static final Pattern IN_BACKTICKS = Pattern.compile("`([^`]+)`");

  /// What is no metric in a query: texts, label names in `by (…)`, label matchers, and durations.
  private static final Pattern NO_METRIC = Pattern.compile("\"[^\"]*\"|\\bby \\([^)]*\\)|\\{[^}]*}|\\[[^]]*]");

  private static final Pattern WORD = Pattern.compile("[a-z]\\w*_\\w+");

  private static @Nullable Scrape firstScrape;

  private final Scrape scrape;

  MonitoringTest(LiveServer live) {
    super(live);
    scrape = scrapeAfterAnUpgrade();
  }

  private Scrape scrapeAfterAnUpgrade() {
    Scrape known = firstScrape;
    if (known == null) {
      try (StubHost host = live.newHost()) {
        String id = id();
        start(host, id, TO_2).expectStatus(201);
        awaitEnd(id);
      }
      live.server().anonymousClient().send("POST", "/v1/join", "{}").expectStatus(400);
      known =
          Scrape.of(
              Awaitility.await()
                  .atMost(Duration.ofSeconds(90))
                  .until(
                      () -> live.server().anonymousClient().get("/prometheus").expectStatus(200).text(),
                      text -> AN_UPGRADE_LATER.stream().allMatch(pattern -> pattern.matcher(text).find())));
      firstScrape = known;
    }
    return known;
  }

  @Test
  void thePageListsEveryMetricOfOursWithItsTypeAndLabels() {
    assertThat(documented()).isEqualTo(exported());
  }

  @Test
  void everyOtherMetricIsOfAFamilyOnThePage() {
    Predicate<String> known =
        families().map(MonitoringTest::asPattern).map(Pattern::asMatchPredicate).reduce(_ -> false, Predicate::or);

    assertThat(scrape.types().keySet()).filteredOn(name -> !name.startsWith("uplift_")).isNotEmpty().allMatch(known);
  }

  @Test
  void alertsAskForMetricsThatAreExported() {
    assertThat(alertQueries().flatMap(MonitoringTest::metricsIn)).isNotEmpty().allMatch(this::isExported);
  }

  @Test
  void theDashboardAsksForMetricsThatAreExported() {
    assertThat(dashboardQueries().flatMap(MonitoringTest::metricsIn)).hasSizeGreaterThan(50).allMatch(this::isExported);
  }

  @Test
  void alertsAndDashboardAskForLabelsThatTheMetricHas() {
    assertThat(Stream.concat(alertQueries(), dashboardQueries()))
        .hasSizeGreaterThan(80)
        .allSatisfy(query ->
            assertThat(QueriedLabels.in(query))
                .isNotEmpty()
                .allSatisfy(asked -> assertThat(asked.missing(this::labelsOf)).as(asked.metric()).isEmpty()));
  }

  private Set<String> labelsOf(String metric) {
    return scrape.labels().getOrDefault(metric, AFTER_A_FAILURE.getOrDefault(metric, Set.of()));
  }

  @Test
  void theDashboardShowsEveryMetricOfOurs() {
    Set<String> shown =
        dashboardQueries().flatMap(MonitoringTest::metricsIn).map(scrape::family).collect(Collectors.toSet());

    assertThat(exported().keySet()).filteredOn(name -> !name.endsWith("_max")).allMatch(shown::contains);
  }

  @Test
  void everyAlertHasASectionThatSaysWhatToDo() {
    assertThat(alerts())
        .isNotEmpty()
        .allSatisfy(alert -> {
          String name = alert.path("alert").asString();
          JsonNode annotations = alert.path("annotations");
          assertThat(PAGE).contains("\n### " + name + "\n");
          assertThat(annotations.propertyNames()).containsExactlyInAnyOrder("summary", "description", "runbook_url");
          assertThat(annotations.path("runbook_url").asString())
              .isEqualTo("docs/monitoring.md#" + name.toLowerCase(Locale.ROOT));
          assertThat(alert.path("labels").path("severity").asString()).isIn("critical", "warning", "info");
        });
    assertThat(PAGE.lines().filter(line -> line.startsWith("### Uplift"))).hasSameSizeAs(alerts().toList());
  }

  @Test
  void everyAlertIsTested() {
    String tests = filesIn(ROOT.resolve("charts/tests/alerts")).map(MonitoringTest::read).collect(Collectors.joining());

    assertThat(alerts().map(alert -> alert.path("alert").asString()))
        .isNotEmpty()
        .allSatisfy(name -> assertThat(tests).contains(name + " fires\n", name + " stays quiet\n"));
  }

  @Test
  void noMetricNamesATenantADeviceOrAHost() {
    assertThat(scrape.text()).doesNotContain("\"" + LiveServer.TENANT + "\"").doesNotContain("device-1");
  }

  /// Type and labels by name.
  private Map<String, String> exported() {
    return scrape.types().entrySet().stream()
        .filter(each -> each.getKey().startsWith("uplift_"))
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                each -> each.getValue() + " " + scrape.labelsOf(each.getKey()),
                (a, _) -> a,
                TreeMap::new));
  }

  private static Map<String, String> documented() {
    return PAGE.lines()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .collect(
            Collectors.toMap(
                row -> row.group(1),
                row ->
                    row.group(2)
                        + " "
                        + IN_BACKTICKS
                            .matcher(row.group(3))
                            .results()
                            .map(label -> label.group(1))
                            .collect(Collectors.toCollection(TreeSet::new)),
                (a, _) -> a,
                TreeMap::new));
  }

  private boolean isExported(String metric) {
    return AFTER_A_FAILURE.containsKey(metric) || scrape.labels().containsKey(metric);
  }

  private static Stream<String> metricsIn(String query) {
    return WORD.matcher(NO_METRIC.matcher(query).replaceAll(""))
        .results()
        .map(MatchResult::group)
        .filter(word -> !word.equals("histogram_quantile"));
  }

  /// The first column of the table of libraries.
  private static Stream<String> families() {
    String section = PAGE.split("\n### Of the libraries\n", 2)[1].split("\n## ", 2)[0];
    return section
        .lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.split("\\|", -1)[1])
        .flatMap(column -> IN_BACKTICKS.matcher(column).results())
        .map(found -> found.group(1));
  }

  private static Pattern asPattern(String family) {
    return Pattern.compile(family.replace("*", "\\w*"));
  }

  private static Stream<JsonNode> alerts() {
    JsonNode file = JsonMapper.shared().valueToTree(new Yaml().<Object>load(read(ALERTS)));
    return file.path("groups").valueStream().flatMap(group -> group.path("rules").valueStream());
  }

  private static Stream<String> alertQueries() {
    return alerts().map(alert -> alert.path("expr").asString());
  }

  private static Stream<String> dashboardQueries() {
    return JsonMapper.shared()
        .readTree(read(DASHBOARD))
        .path("panels")
        .valueStream()
        .flatMap(panel -> panel.path("targets").valueStream())
        .map(target -> target.path("expr").asString());
  }

  private static Stream<Path> filesIn(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(ROOT.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What a server exports: types of families, and labels of samples, by name.
  private record Scrape(String text, Map<String, String> types, Map<String, Set<String>> labels) {
    static Scrape of(String text) {
      Map<String, String> types =
          TYPE.matcher(text)
              .results()
              .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2), (a, _) -> a, TreeMap::new));
      Map<String, Set<String>> labels = new TreeMap<>();
      text.lines()
          .filter(line -> !line.startsWith("#"))
          .map(SAMPLE::matcher)
          .filter(Matcher::matches)
          .forEach(sample -> labels.computeIfAbsent(sample.group(1), _ -> new TreeSet<>()).addAll(labelsOf(sample)));
      return new Scrape(text, types, labels);
    }

    private static Set<String> labelsOf(Matcher sample) {
      return sample.group(2) == null
          ? Set.of()
          : LABEL
              .matcher(sample.group(2))
              .results()
              .map(label -> label.group(1))
              .filter(label -> !label.equals("le"))
              .collect(Collectors.toSet());
    }

    Set<String> labelsOf(String family) {
      return labels.entrySet().stream()
          .filter(each -> family(each.getKey()).equals(family))
          .flatMap(each -> each.getValue().stream())
          .collect(Collectors.toCollection(TreeSet::new));
    }

    /// A histogram has three kinds of samples.
    String family(String sample) {
      String base = sample.replaceFirst("_(bucket|sum|count)$", "");
      return types.containsKey(base) ? base : sample;
    }
  }
}
