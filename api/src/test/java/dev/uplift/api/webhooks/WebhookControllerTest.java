package dev.uplift.api.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.webhook.WebhookRepositories;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.store.event.TenantEventRepository;
import dev.uplift.store.webhook.WebhookDeliveryRepository;
import dev.uplift.store.webhook.WebhookRepository;
import dev.uplift.store.webhook.WebhookRow;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedServerExtension.class)
final class WebhookControllerTest {
  private static final String CHAT =
      """
      {"url":"https://example.com/uplift","events":["rollout.*","upgrade.ended"],"escalate_after_seconds":3600}\
      """;

  @Test
  void aNewWebhookShowsItsSecretOnceAndBeginsWithTheNextEvent(TestTenant testTenant) {
    testTenant
        .server()
        .bean(TenantEventRepository.class)
        .appendPublished(testTenant.name(), new Release("shopd", "1.0"));

    TestResponse put = put(testTenant, CHAT).expectStatus(201);

    assertThat(put.header("ETag")).isPresent();
    JsonNode created = put.json();
    assertThat(created.path("secret").asString()).matches("whsec_[A-Za-z0-9+/]{43}=");
    assertThat(created.path("enabled").asBoolean()).isTrue();
    assertThat(created.path("position").asLong()).isEqualTo(1);
    assertThat(created.has("last_delivered_event")).isFalse();
    JsonNode shown = testTenant.viewer().get(path(testTenant)).expectStatus(200).json();
    assertThat(shown.has("secret")).isFalse();
    assertThat(shown.path("url").asString()).isEqualTo("https://example.com/uplift");
    assertThat(shown.path("escalate_after_seconds").asInt()).isEqualTo(3600);
    assertThat(put(testTenant, CHAT).expectStatus(200).json().has("secret")).isFalse();
    assertThat(testTenant.viewer().get(testTenant.path("webhooks")).expectStatus(200).texts("items", "name"))
        .containsExactly("chat");
    String stored = testTenant.server().bean(WebhookRepository.class).findAll().toString();
    assertThat(stored).doesNotContain(created.path("secret").asString().substring(6));
  }

  @Test
  void changesAreForAdminsAndAudited(TestTenant testTenant) {
    testTenant.operator().send("PUT", path(testTenant), CHAT).expectStatus(403);
    put(testTenant, CHAT).expectStatus(201);
    post(testTenant, "/disable").expectStatus(200);
    JsonNode disabled = post(testTenant, "/disable").expectStatus(200).json();
    assertThat(disabled.path("disabled_by").asString()).startsWith("admin");
    assertThat(put(testTenant, CHAT).expectStatus(200).json().path("enabled").asBoolean()).as("stays so").isFalse();
    assertThat(post(testTenant, "/enable").expectStatus(200).json().has("disabled_by")).isFalse();
    JsonNode rotated = post(testTenant, "/secret").expectStatus(200).json();
    assertThat(rotated.path("secret").asString()).startsWith("whsec_");
    assertThat(rotated.path("previous_secret_until").asString()).isNotEmpty();
    testTenant.admin().withHeader("If-Match", "\"1\"").send("PUT", path(testTenant), CHAT).expectStatus(412);
    testTenant.admin().withHeader("If-None-Match", "*").send("PUT", path(testTenant), CHAT).expectStatus(412);
    testTenant.admin().delete(path(testTenant)).expectStatus(204);
    testTenant.admin().delete(path(testTenant)).expectStatus(404);
    testTenant.viewer().get(path(testTenant)).expectStatus(404);

    assertThat(
            testTenant
                .viewer()
                .get(testTenant.path("audit?target=webhook/chat"))
                .expectStatus(200)
                .texts("items", "action"))
        .containsExactly("webhook.delete", "webhook.rotate-secret", "webhook.enable", "webhook.disable", "webhook.put");
  }

  @Test
  void faultsAreToldAllAtOnce(TestTenant testTenant) {
    assertThat(
            put(
                    testTenant,
                    """
                    {"url":"https://ann:secret@example.com/","events":["*","Rollout"],"escalate_after_seconds":-1}\
                    """)
                .expectStatus(400)
                .errors())
        .containsExactlyInAnyOrder(
            "/url: expected a URL such as https://example.com/hooks/uplift",
            "/events/1: expected a kind such as upgrade.ended, or a group such as rollout.*",
            "/escalate_after_seconds: expected 0 to 2592000, found -1");
    assertThat(
            put(testTenant, "{\"url\":\"http://example.com/\",\"events\":[\"rollout.*\",\"fleet.*\"]}")
                .expectStatus(422)
                .errors())
        .containsExactly(
            "/url: expected https: this server sends events over TLS only",
            "/events/1: there is no event of this kind");
  }

  @Test
  void aTestIsRefusedByTheServerIfItsReceiverIsInItsOwnNetwork(TestTenant testTenant) {
    put(testTenant, CHAT.replace("example.com", "127.0.0.1:1")).expectStatus(201);

    JsonNode test = post(testTenant, "/test").expectStatus(200).json();

    assertThat(test.path("accepted").asBoolean()).isFalse();
    assertThat(test.has("status")).isFalse();
    assertThat(test.path("message").asString())
        .isEqualTo("127.0.0.1 has no address of the Internet, and this server sends webhooks to no other");
  }

  @Test
  void aTenantHasItsOwn(TestTenant testTenant, TestServer server) {
    put(testTenant, CHAT).expectStatus(201);
    TestTenant other = server.newTenant();

    other.admin().get(path(testTenant)).expectStatus(404);
    other.admin().send("POST", path(testTenant) + "/test", "").expectStatus(404);
    other.viewer().get(path(other)).expectStatus(404);
  }

  @Test
  void anotherUrlForgetsWhatFailedAndNoOtherChangeDoes(TestTenant testTenant) {
    put(testTenant, CHAT).expectStatus(201);
    testTenant.server().bean(WebhookDeliveryRepository.class).recordFailure(id(testTenant), 0, "refused");

    JsonNode escalated = put(testTenant, CHAT.replace("3600", "60")).expectStatus(200).json();
    assertThat(escalated.path("failures").asInt()).isEqualTo(1);
    assertThat(escalated.has("failing_since")).isTrue();
    JsonNode moved = put(testTenant, CHAT.replace("example.com", "example.org")).expectStatus(200).json();

    assertThat(moved.path("failures").asInt()).isZero();
    assertThat(moved.has("failing_since")).isFalse();
    assertThat(moved.path("last_error").asString()).isEqualTo("refused");
    assertThat(moved.path("position").asLong()).isZero();
  }

  @Test
  void oneThatTheServerHasDisabledIsEnabledIfThePutSaysSoAndBeginsWithTheNextEvent(TestTenant testTenant) {
    put(testTenant, CHAT).expectStatus(201);
    TestServer server = testTenant.server();
    server.bean(WebhookDeliveryRepository.class).recordFailure(id(testTenant), 0, "refused");
    WebhookRow row = server.bean(WebhookRepository.class).find(id(testTenant)).orElseThrow();
    assertThat(server.bean(WebhookRepositories.class).disable(row, "it wants no more events")).isTrue();
    server.bean(TenantEventRepository.class).appendPublished(testTenant.name(), new Release("shopd", "1.0"));

    String other = CHAT.replace("example.com", "example.org");
    JsonNode moved = put(testTenant, other).expectStatus(200).json();
    assertThat(moved.path("enabled").asBoolean()).as("another URL alone").isFalse();
    assertThat(moved.path("disabled_by").asString()).isEqualTo("webhook chat");
    JsonNode enabled = put(testTenant, other.replace("{", "{\"enabled\":true,")).expectStatus(200).json();

    assertThat(enabled.path("enabled").asBoolean()).isTrue();
    assertThat(enabled.has("disabled_by")).isFalse();
    assertThat(enabled.path("failures").asInt()).isZero();
    assertThat(enabled.path("position").asLong()).isEqualTo(1);
  }

  private static WebhookId id(TestTenant testTenant) {
    return new WebhookId(testTenant.name(), "chat");
  }

  @Test
  void aTenantHasAtMostFiftyHoweverManyAreCreatedAtOnce(TestTenant testTenant) throws InterruptedException {
    List<Callable<Integer>> requests =
        IntStream.range(0, 60)
            .<Callable<Integer>>mapToObj(
                i -> () -> testTenant.admin().send("PUT", testTenant.path("webhooks/chat-" + i), CHAT).status())
            .toList();

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(threads.invokeAll(requests).stream().map(Future::resultNow).filter(status -> status == 201))
          .hasSize(50);
    }
    assertThat(testTenant.viewer().get(testTenant.path("webhooks?limit=100")).expectStatus(200).texts("items", "name"))
        .hasSize(50);
  }

  private static TestResponse put(TestTenant testTenant, String body) {
    return testTenant.admin().send("PUT", path(testTenant), body);
  }

  private static TestResponse post(TestTenant testTenant, String action) {
    return testTenant.admin().send("POST", path(testTenant) + action, "");
  }

  private static String path(TestTenant testTenant) {
    return testTenant.path("webhooks/chat");
  }
}
