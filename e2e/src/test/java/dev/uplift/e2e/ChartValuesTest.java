package dev.uplift.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.nats.NatsServerConfig;
import dev.uplift.services.messaging.StreamSizes;
import dev.uplift.temporaldev.stack.TemporalServer;
import dev.uplift.workflows.SearchAttributeKeys;
import io.temporal.common.SearchAttributeKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/// The values for charts of others, against the code and the values of our own chart.
final class ChartValuesTest {
  private static final Path CHARTS = Path.of("../charts");
  private static final long GIB = 1 << 30;

  /// Frontend, history, matching and worker.
  private static final int SERVICES_OF_TEMPORAL = 4;

  @Test
  void temporalHasTheSearchAttributesOfWorkflows() throws IOException {
    List<?> objects = list(values("values/temporal.yaml"), "extraObjects");
    Map<?, ?> job = new Yaml().load((String) objects.getFirst());
    Map<?, ?> container = (Map<?, ?>) list(job, "spec", "template", "spec", "containers").getFirst();

    assertThat(options(container, "--name="))
        .isEqualTo(SearchAttributeKeys.ALL.stream().map(SearchAttributeKey::getName).toList());
    assertThat(options(container, "--type=")).isEqualTo(Collections.nCopies(SearchAttributeKeys.ALL.size(), "Keyword"));
    assertThat(options(container, "--namespace=")).containsExactly(namespaceOfServers());
  }

  @Test
  void temporalHasTheNamespaceOfServersWithTheRetentionThatIsTested() throws IOException {
    assertThat(list(values("values/temporal.yaml"), "server", "config", "namespaces", "namespace"))
        .isEqualTo(List.of(Map.of("name", namespaceOfServers(), "retention", TemporalServer.RETENTION)));
  }

  @Test
  void natsTakesTheLargestMessage() throws IOException {
    String ours =
        new NatsServerConfig(
                "nats",
                "127.0.0.1:4222",
                Path.of("data"),
                Path.of("operator.jwt"),
                "A",
                Optional.empty(),
                "1GB",
                Optional.empty())
            .toText();

    String theirs = (String) at(values("values/nats.yaml"), "config", "merge", "max_payload");

    assertThat(ours.lines()).contains("max_payload: " + theirs.replaceAll("[<> ]", ""));
  }

  @Test
  void natsHasSpaceForAllStreams() throws IOException {
    Map<?, ?> uplift = values("uplift/values.yaml");
    StreamSizes sizes =
        StreamSizes.ofMebibytes(
            number(uplift, "nats", "commandStreamMib"),
            number(uplift, "nats", "eventStreamMib"),
            number(uplift, "nats", "infoStreamMib"),
            number(uplift, "nats", "trustStreamMib"));
    assertThat(sizes).isEqualTo(StreamSizes.DEFAULTS);

    Map<?, ?> nats = values("values/nats.yaml");
    long store = gibibytes(nats, "config", "jetstream", "fileStore", "maxSize");
    assertThat(store).isGreaterThanOrEqualTo(sizes.total());
    assertThat(gibibytes(nats, "config", "jetstream", "fileStore", "pvc", "size")).isGreaterThan(store);
    assertThat(Files.readString(CHARTS.resolve("values/nats.yaml")))
        .contains("# Streams have at most %d GiB,".formatted(Math.ceilDiv(sizes.total(), GIB)));
    assertThat(number(nats, "config", "cluster", "replicas")).isEqualTo(number(uplift, "nats", "replicas"));
  }

  @Test
  void postgresqlHasConnectionsForServersAndTemporal() throws IOException {
    Map<?, ?> uplift = values("uplift/values.yaml");
    int servers = number(uplift, "api", "replicas") + number(uplift, "worker", "replicas");
    Map<?, ?> temporal = values("values/temporal.yaml");
    Map<?, ?> stores = (Map<?, ?>) at(temporal, "server", "config", "persistence", "datastores");
    int each = number(stores, "default", "sql", "maxConns") + number(stores, "visibility", "sql", "maxConns");

    Map<?, ?> postgresql = values("values/postgresql.yaml");

    String most = (String) at(postgresql, "cluster", "postgresql", "parameters", "max_connections");
    assertThat(Integer.parseInt(most))
        .isGreaterThan(
            servers * number(uplift, "database", "connections")
                + SERVICES_OF_TEMPORAL * number(temporal, "server", "replicaCount") * each);
    assertThat(list(postgresql, "databases"))
        .isEqualTo(List.of(databaseOf(stores, "default"), databaseOf(stores, "visibility")));
  }

  private static Map<?, ?> databaseOf(Map<?, ?> stores, String store) {
    return Map.of("name", at(stores, store, "sql", "databaseName"), "owner", at(stores, store, "sql", "user"));
  }

  private static String namespaceOfServers() throws IOException {
    return (String) at(values("uplift/values.yaml"), "temporal", "namespace");
  }

  private static List<String> options(Map<?, ?> container, String prefix) {
    return list(container, "command").stream()
        .map(String::valueOf)
        .filter(word -> word.startsWith(prefix))
        .map(word -> word.substring(prefix.length()))
        .toList();
  }

  private static Map<?, ?> values(String file) throws IOException {
    return new Yaml().load(Files.readString(CHARTS.resolve(file)));
  }

  private static int number(Map<?, ?> values, String... path) {
    return (Integer) at(values, path);
  }

  private static long gibibytes(Map<?, ?> values, String... path) {
    String text = (String) at(values, path);
    assertThat(text).matches("\\d+Gi");
    return Long.parseLong(text.replace("Gi", "")) * GIB;
  }

  private static List<?> list(Map<?, ?> values, String... path) {
    return (List<?>) at(values, path);
  }

  private static Object at(Map<?, ?> values, String... path) {
    Object found = values;
    for (String key : path) {
      found = requireNonNull(((Map<?, ?>) found).get(key), key);
    }
    return found;
  }
}
