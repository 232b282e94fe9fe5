package dev.uplift.activities.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.activities.metrics.WebhookMetrics;
import dev.uplift.activities.webhook.StubReceiver.Received;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.services.webhook.SecretEncryption;
import dev.uplift.services.webhook.WebhookPublisher;
import dev.uplift.services.webhook.WebhookSecret;
import dev.uplift.services.webhook.WebhookSender;
import dev.uplift.services.webhook.WebhookSettings;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.PageRequest;
import dev.uplift.store.audit.AuditRepository;
import dev.uplift.store.event.TenantEventRepository;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.webhook.WebhookDeliveryRow;
import dev.uplift.store.webhook.WebhookSpec;
import dev.uplift.workflows.webhook.WebhookReport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Events of real tables, sent to a real receiver.
final class WebhookStepsActivitiesTest {
  private static final WebhookId CHAT = new WebhookId("acme", "chat");
  private static final WebhookSecret SECRET = WebhookSecret.generate();

  private Instant now = Instant.parse("2026-11-26T12:00:00Z");
  private final Database database = Database.open(DatabaseSettings.h2InMemory(), () -> now);
  private final WebhookRepositories tables = database.repository(WebhookRepositories.class);
  private final TenantEventRepository events = database.repository(TenantEventRepository.class);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final StubReceiver receiver = new StubReceiver();
  private final WebhookSender sender = new WebhookSender(true, WebhookSender.TIMEOUT, () -> now);
  private final WebhookPublisher publisher = publisher(sender);
  private final WebhookStepsActivities steps = steps(publisher);

  @BeforeEach
  void createWebhook() {
    database.repository(TenantRepository.class).put("acme", "");
    enable(List.of());
  }

  @AfterEach
  void close() {
    sender.close();
    receiver.close();
    database.close();
  }

  @Test
  void eventsAreSentInTheirOrderEachOnce() {
    publish("1", "2", "3");

    WebhookReport report = deliver();

    assertThat(report.delivered()).isEqualTo(3);
    assertThat(report.hasMore()).isTrue();
    assertThat(deliver()).isEqualTo(WebhookReport.accepted(0, false, "nothing to send after event 3"));
    assertThat(receiver.versions()).containsExactly("1", "2", "3");
    assertThat(receiver.received).extracting(Received::id).doesNotHaveDuplicates();
    JsonNode message = receiver.received.getFirst().json();
    assertThat(message.path("type").asString()).isEqualTo("release.published");
    assertThat(message.path("timestamp").asString()).isEqualTo("2026-11-26T12:00:00Z");
    assertThat(message.path("data").path("number").asLong()).isEqualTo(1);
    assertThat(message.path("data").path("package").asString()).isEqualTo("os");
    assertThat(delivery().deliveredNumber()).isEqualTo(3);
    assertThat(meters.counter("uplift.webhook.deliveries", "result", "accepted").count()).isEqualTo(3);
  }

  @Test
  void aMessageIsSignedByTheSecretAndForADayByTheOneBefore() {
    publish("1");
    deliver();
    WebhookSecret other = WebhookSecret.generate();
    tables.webhooks().rotateSecret(CHAT, publisher.encrypt(CHAT, other), now.plus(Duration.ofHours(24)), "ann");
    publish("2");
    deliver();
    now = now.plus(Duration.ofHours(24));
    publish("3");
    deliver();

    assertThat(receiver.received)
        .extracting(Received::signature)
        .containsExactly(signature(0, SECRET), signature(1, other) + " " + signature(1, SECRET), signature(2, other));
  }

  private String signature(int index, WebhookSecret secret) {
    Received found = receiver.received.get(index);
    return secret.sign(found.id(), Instant.ofEpochSecond(found.timestamp()), found.body().getBytes(UTF_8));
  }

  @Test
  void anEventThatIsNotAcceptedIsSentAgainWithItsIdBeforeAnythingElse() {
    receiver.answer(200, 500, 302, 200);
    publish("1", "2", "3");

    WebhookReport first = deliver();
    assertThat(first.retryAfter()).contains(Duration.ofSeconds(5));
    assertThat(first.message()).isEqualTo("event 2: the receiver answered 500");
    assertThat(delivery().failures()).isEqualTo(1);
    assertThat(delivery().lastError()).contains("event 2: the receiver answered 500");
    WebhookReport second = deliver();
    assertThat(second.retryAfter()).contains(Duration.ofSeconds(10));
    assertThat(second.message()).isEqualTo("event 2: the receiver answered 302; redirects are not followed");
    assertThat(deliver().delivered()).isEqualTo(2);

    assertThat(receiver.versions()).containsExactly("1", "2", "2", "2", "3");
    assertThat(receiver.received.subList(1, 4)).extracting(Received::id).containsOnly(receiver.received.get(1).id());
    assertThat(delivery().failures()).isZero();
    assertThat(delivery().failingSince()).isEmpty();
    assertThat(meters.counter("uplift.webhook.deliveries", "result", "failed").count()).isEqualTo(2);
  }

  @Test
  void aReceiverIsLeftAloneForAsLongAsItAsks() {
    receiver.answer(429);
    receiver.retryAfter(Optional.of("90"));
    publish("1");

    assertThat(deliver().retryAfter()).contains(Duration.ofSeconds(90));
  }

  @Test
  void aReceiverThatIsGoneGetsNoMoreWithALineInTheAudit() {
    receiver.answer(410);
    publish("1", "2");

    assertThat(deliver().enabled()).isFalse();
    assertThat(deliver().enabled()).isFalse();

    assertThat(receiver.versions()).containsExactly("1");
    assertThat(tables.webhooks().find(CHAT).orElseThrow().disabledBy()).contains("webhook chat");
    assertThat(audit())
        .containsExactly("webhook.disable webhook/chat the receiver answered 410: it wants no more events");
    assertThat(meters.counter("uplift.webhook.disabled").count()).isEqualTo(1);
  }

  @Test
  void aReceiverThatFailsForADayIsDisabledAndBeginsWithTheNextEventWhenItIsEnabled() {
    receiver.answer(500, 500, 200);
    publish("1", "2");
    deliver();
    now = now.plus(Duration.ofHours(24));

    assertThat(deliver().enabled()).isFalse();
    assertThat(audit())
        .containsExactly(
            "webhook.disable webhook/chat no event was accepted since 2026-11-26T12:00:00Z; the last time: the receiver"
                + " answered 500");
    publish("3");
    tables.deliveries().begin(CHAT, events.lastNumber("acme"));
    tables.webhooks().enable(CHAT, "ann");
    publish("4");
    deliver();

    assertThat(receiver.versions()).containsExactly("1", "1", "4");
    assertThat(receiver.received.getLast().json().path("data").path("number").asLong()).isEqualTo(4);
  }

  @Test
  void whatIsNotAskedForIsPassedOver() {
    enable(List.of("device.*"));
    publish("1", "2");

    assertThat(deliver().hasMore()).isTrue();

    assertThat(receiver.received).isEmpty();
    assertThat(delivery().position()).isEqualTo(2);
    assertThat(delivery().deliveredNumber()).isZero();
  }

  @Test
  void manyEventsAreSeveralActivities() {
    for (int i = 1; i <= WebhookStepsActivities.MAX_EVENTS + 1; i++) {
      events.appendPublished("acme", new Release("os", "v" + i));
    }
    events.numberNew("acme");

    assertThat(deliver().delivered()).isEqualTo(WebhookStepsActivities.MAX_EVENTS);
    assertThat(deliver().delivered()).isEqualTo(1);
  }

  @Test
  void aServerThatWasFrozenDoesNotPutTheWebhookBack() {
    publish("1", "2");
    receiver.whenAsked(() -> tables.deliveries().begin(CHAT, 2));

    WebhookReport report = deliver();

    assertThat(report.hasMore()).isTrue();
    assertThat(receiver.versions()).containsExactly("1");
    assertThat(delivery().position()).isEqualTo(2);
  }

  @Test
  void aWebhookThatIsDisabledMeanwhileGetsNoMore() {
    publish("1", "2");
    receiver.whenAsked(() -> tables.webhooks().disable(CHAT, "ann", ""));

    assertThat(deliver().enabled()).isFalse();

    assertThat(receiver.versions()).containsExactly("1");
    assertThat(delivery().position()).isEqualTo(1);
  }

  @Test
  void aReceiverThatIsGoneDoesNotDisableTheOneThatAPersonPutsInItsPlace() {
    receiver.answer(410, 200);
    publish("1");
    receiver.whenAsked(
        () -> tables.webhooks().change(new WebhookSpec(CHAT, receiver.url() + "/other", "", List.of(), 0), "ann"));

    WebhookReport report = deliver();

    assertThat(report.enabled()).isTrue();
    assertThat(report.hasMore()).isTrue();
    assertThat(audit()).isEmpty();
    assertThat(deliver().delivered()).isEqualTo(1);
  }

  @Test
  void whatAServerThatEndsDoesNotSendIsNoFailureOfTheReceiver() {
    publish("1");
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(this::deliver).hasMessageContaining("interrupted");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(delivery().failures()).isZero();
    assertThat(deliver().delivered()).isEqualTo(1);
  }

  @Test
  void aWebhookThatBeginsElsewhereGetsNothingFromBefore() {
    publish("1", "2", "3");
    receiver.whenAsked(() -> {
      receiver.whenAsked(() -> {});
      tables.deliveries().begin(CHAT, 2);
    });

    assertThat(deliver().message()).isEqualTo("the webhook begins elsewhere");
    deliver();

    assertThat(receiver.versions()).containsExactly("1", "3");
  }

  @Test
  void aReceiverThatIsNotAllowedAnyMoreIsNotReached() {
    publish("1");
    try (WebhookSender strict = new WebhookSender(false, WebhookSender.TIMEOUT, () -> now)) {
      assertThat(steps(publisher(strict)).deliver(CHAT, _ -> {}).message())
          .isEqualTo("event 1: expected https: this server sends events over TLS only");
    }
    assertThat(receiver.received).isEmpty();
  }

  @Test
  void aSecretThatCannotBeReadSaysHowToMendIt() {
    publish("1");
    var other = new WebhookPublisher(new SecretEncryption("another secret of the servers"), sender, () -> now);

    assertThat(steps(other).deliver(CHAT, _ -> {}).message()).endsWith("expected `uplift webhook rotate-secret`");
    assertThat(receiver.received).isEmpty();
  }

  @Test
  void theWebhookOfADeletedNameIsNoMore() {
    tables.webhooks().remove(CHAT);

    assertThat(deliver()).isEqualTo(WebhookReport.disabled(0, "the webhook is disabled or deleted"));
  }

  private WebhookPublisher publisher(WebhookSender by) {
    return new WebhookPublisher(new SecretEncryption("the secret of the servers"), by, () -> now);
  }

  private WebhookStepsActivities steps(WebhookPublisher by) {
    return new WebhookStepsActivities(
        tables, by, new WebhookSettings(true, Duration.ofHours(24)), new WebhookMetrics(meters), () -> now);
  }

  private void enable(List<String> kinds) {
    tables.webhooks().remove(CHAT);
    tables
        .webhooks()
        .create(new WebhookSpec(CHAT, receiver.url(), "", kinds, 0), publisher.encrypt(CHAT, SECRET), "ann");
    tables.deliveries().begin(CHAT, 0);
    tables.webhooks().enable(CHAT, "ann");
  }

  private void publish(String... versions) {
    for (String version : versions) {
      events.appendPublished("acme", new Release("os", version));
    }
    events.numberNew("acme");
  }

  private WebhookReport deliver() {
    return steps.deliver(CHAT, _ -> {});
  }

  private WebhookDeliveryRow delivery() {
    return tables.deliveries().find(CHAT).orElseThrow();
  }

  private List<String> audit() {
    return database
        .repository(AuditRepository.class)
        .list("acme", Optional.of("webhook/chat"), PageRequest.first(10))
        .rows()
        .stream()
        .map(row -> "%s %s %s".formatted(row.entry().action(), row.entry().target(), row.entry().detail()))
        .toList();
  }
}
