package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.e2e.OtlpReceiver.ReceivedSpan;
import dev.uplift.temporaldev.scenario.SimulatedHosts;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A server and a host, and a collector that takes their spans over HTTP.
@Timeout(300)
final class TracingTest {
  private static final String TENANT = "acme";
  private static final String REQUEST = "POST /v1/tenants/{tenant}/devices/{device}/upgrades";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final OtlpReceiver collector = new OtlpReceiver();
  private final Stack stack = TestServers.stack().temporalInMemory().open();

  @AfterEach
  void endAll() {
    stack.close();
    collector.close();
  }

  @Test
  void oneTraceLeadsFromTheRequestThroughTheWorkflowToTheStepsOfTheAgent() {
    stack.server().environment("UPLIFT_TRACING_ENDPOINT", collector.url());
    upgradeOneDevice();

    await("the spans of the agent")
        .atMost(PATIENCE)
        .until(() -> spansOf(REQUEST).stream().anyMatch(span -> span.name().equals("agent upgrade")));
    await("the end of the workflow")
        .atMost(PATIENCE)
        .until(() -> spansOf(REQUEST).stream().anyMatch(span -> span.name().equals("RunWorkflow:DeviceUpgrade")));

    List<ReceivedSpan> spans = spansOf(REQUEST);
    assertThat(spans).extracting(ReceivedSpan::service).containsOnly("uplift-server");
    assertThat(spans)
        .extracting(ReceivedSpan::name)
        .contains(REQUEST, "agent prepare", "agent upgrade", "RunWorkflow:DeviceUpgrade")
        .anyMatch(name -> name.startsWith("StartActivity:"))
        .anyMatch(name -> name.startsWith("RunActivity:"));
    assertThat(spans.stream().filter(span -> span.parent().isEmpty()))
        .extracting(ReceivedSpan::name)
        .containsExactly(REQUEST);
    assertThat(parentOf(spans, "agent upgrade")).startsWith("RunActivity:");
    Set<String> ids = spans.stream().map(ReceivedSpan::id).collect(Collectors.toSet());
    assertThat(spans).filteredOn(span -> !span.parent().isEmpty()).allMatch(span -> ids.contains(span.parent()));
  }

  @Test
  void aRequestThatFailsHasASpanToo() {
    stack.server().environment("UPLIFT_TRACING_ENDPOINT", collector.url());
    stack.start();

    var rest = new TestRestClient(stack, TENANT);
    rest.get("devices/none").expectStatus(404);

    await("its span")
        .atMost(PATIENCE)
        .until(() ->
            collector.spans().stream()
                .anyMatch(span -> span.name().equals("GET /v1/tenants/{tenant}/devices/{device}")));
  }

  @Test
  void aCollectorThatIsAwayHindersNoUpgrade() {
    stack.server().environment("UPLIFT_TRACING_ENDPOINT", "http://127.0.0.1:1/v1/traces");

    upgradeOneDevice();

    assertThat(stack.server().isRunning()).isTrue();
  }

  private void upgradeOneDevice() {
    stack.start();
    var rest = new TestRestClient(stack, TENANT);
    new SimulatedHosts("simulator", TENANT, "sim-", 0, 1, "till", "1.0", Duration.ofSeconds(1), Map.of())
        .programOn(stack)
        .start();
    rest.putDevice("gate", "sim-00000");
    rest.publish("till", "simulated", "2.0", 20, Map.of("prepare_ms", "100", "upgrade_ms", "100"));
    rest.startUpgrade("first", "gate", "till", "2.0").expectStatus(201);
    await("the upgrade").atMost(PATIENCE).until(() -> rest.outcome("first").equals("upgraded"));
  }

  /// Returns those of the trace that begins with a span of this name.
  private List<ReceivedSpan> spansOf(String root) {
    List<ReceivedSpan> all = collector.spans();
    Set<String> traces =
        all.stream()
            .filter(span -> span.name().equals(root) && span.parent().isEmpty())
            .map(ReceivedSpan::trace)
            .collect(Collectors.toSet());
    return all.stream().filter(span -> traces.contains(span.trace())).toList();
  }

  private static String parentOf(List<ReceivedSpan> spans, String name) {
    String parent = spans.stream().filter(span -> span.name().equals(name)).findFirst().orElseThrow().parent();
    return spans.stream().filter(span -> span.id().equals(parent)).findFirst().orElseThrow().name();
  }
}
