package dev.uplift.api.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.LiveServer;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.StubHost;
import dev.uplift.api.testing.TestResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/// Previews of policies for devices that are heard. Each test selects devices by a label of its own.
@ExtendWith(SharedServerExtension.class)
final class LivePolicyPreviewTest {
  private static final List<String> NAMES = List.of("above", "middle", "below");

  private final LiveServer live;
  private final String id = "p" + UUID.randomUUID().toString().substring(0, 8);

  LivePolicyPreviewTest(LiveServer live) {
    this.live = live;
  }

  @AfterEach
  void delete() {
    NAMES.forEach(name -> live.tenant().operator().delete(path(name)));
  }

  @Test
  void everyPreviewSaysWhatWouldBeginWhenAndWithWhichPoliciesItDisagrees() {
    try (StubHost one = selected("all");
        StubHost two = selected("all");
        StubHost three = selected("top")) {
      put("above", "labels.%s == 'top'", "1.0", 9);
      put("below", "'%s' in labels", "1.0", 1);
      enable("above", "").expectStatus(200);
      enable("below", "").expectStatus(200);
      Instant before = Instant.now();
      // Until the first heartbeats are stored it is not known what runs.
      JsonNode put =
          Awaitility.await()
              .atMost(Duration.ofSeconds(60))
              .until(
                  () -> send("PUT", path("middle") + "?validate=true", body("'%s' in labels", "2.0", 5)).json(),
                  preview -> preview.path("due").asInt() == 2);
      put("middle", "'%s' in labels", "2.0", 5);

      JsonNode patch = send("PATCH", path("middle") + "?validate=true", "{\"title\":\"The middle\"}").json();
      JsonNode enable = enable("middle", "?validate=true").expectStatus(200).json();

      for (JsonNode preview : List.of(put, patch, enable)) {
        assertThat(preview.path("version").asString()).isEqualTo("2.0");
        assertThat(preview.path("devices").asInt()).isEqualTo(3);
        assertThat(preview.path("due").asInt()).isEqualTo(2);
        assertThat(texts(preview, "overruled_by")).containsExactly(name("above"));
        assertThat(texts(preview, "overrules")).containsExactly(name("below"));
        assertThat(preview.path("waves").valueStream().map(wave -> wave.path("devices").asInt())).containsExactly(1, 1);
        assertThat(preview.path("waves").valueStream().flatMap(wave -> texts(wave, "sample").stream()))
            .containsExactlyInAnyOrder(one.name(), two.name())
            .doesNotContain(three.name());
        assertThat(Instant.parse(preview.path("first_start_at").asString()))
            .isBetween(before.minusSeconds(60), Instant.now().plusSeconds(60));
      }
      assertThat(patch.path("policy").path("title").asString()).isEqualTo("The middle");
      JsonNode stored = live.tenant().viewer().get(path("middle")).expectStatus(200).json();
      assertThat(stored.path("enabled").asBoolean()).isFalse();
      assertThat(stored.path("version").asInt()).isEqualTo(1);
    }
  }

  @Test
  void aPreviewOfAChangeKeepsTheTimeAtWhichThePolicyWasEnabled() {
    try (StubHost _ = selected("all")) {
      put("below", "'%s' in labels", "2.0", 0);
      put("above", "'%s' in labels", "1.0", 0);
      enable("below", "").expectStatus(200);
      enable("above", "").expectStatus(200);

      JsonNode patch = send("PATCH", path("below") + "?validate=true", "{\"title\":\"x\"}").json();

      assertThat(texts(patch, "overruled_by")).containsExactly(name("above"));
      assertThat(texts(enable("below", "?validate=true").expectStatus(200).json(), "overrules"))
          .as("the one that is enabled last decides")
          .containsExactly(name("above"));
    }
  }

  private StubHost selected(String value) {
    StubHost host = live.newHost();
    live.tenant()
        .admin()
        .send("PATCH", live.path("devices/" + host.name()), "{\"labels\":{\"%s\":\"%s\"}}".formatted(id, value))
        .expectStatus(200);
    return host;
  }

  /// The start is years ahead for those that are to be enabled, so that nothing begins.
  private void put(String policy, String selection, String version, int priority) {
    String later = policy.equals("middle") ? "" : "\"start_at\":\"2099-01-01T00:00:00Z\",";
    send("PUT", path(policy), body(selection, version, priority).replace("\"everything\"", later + "\"everything\""));
  }

  private String body(String selection, String version, int priority) {
    return """
    {"package":"shopd","target":{"version":"%s"},"selection":"%s","everything":true,"priority":%d,
     "rollout":{"waves":[{"count":1},{"rest":true}]}}\
    """
        .formatted(version, selection.formatted(id), priority);
  }

  private TestResponse enable(String policy, String query) {
    return live.tenant().operator().send("POST", path(policy) + "/enable" + query, "");
  }

  private TestResponse send(String method, String path, String body) {
    TestResponse response = live.tenant().operator().send(method, path, body);
    assertThat(response.status()).as(response.text()).isBetween(200, 201);
    return response;
  }

  private static List<String> texts(JsonNode json, String field) {
    return json.path(field).valueStream().map(JsonNode::asString).toList();
  }

  private String path(String policy) {
    return live.path("policies/" + name(policy));
  }

  private String name(String policy) {
    return id + "-" + policy;
  }
}
