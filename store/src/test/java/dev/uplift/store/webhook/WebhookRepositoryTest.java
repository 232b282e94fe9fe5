package dev.uplift.store.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.webhook.DeliveryDecision.Failures;
import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.PageRequest;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.webhook.WebhookDeliveryRepository.WebhookPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class WebhookRepositoryTest extends DatabaseScenario {
  private WebhookRepository webhooks = database.repository(WebhookRepository.class);
  private WebhookDeliveryRepository deliveries = database.repository(WebhookDeliveryRepository.class);

  @BeforeEach
  void open() {
    webhooks = database.repository(WebhookRepository.class);
    deliveries = database.repository(WebhookDeliveryRepository.class);
  }

  @Test
  void aNewWebhookIsDisabledAndChangesRaiseItsVersion() {
    WebhookRow created = webhooks.create(spec("chat", 0), "sealed", "ann");
    WebhookRow same = webhooks.change(spec("chat", 0), "bob");
    WebhookRow changed = webhooks.change(spec("chat", 60), "bob");

    assertThat(created.enabled()).isFalse();
    assertThat(created.events()).containsExactly("rollout.*", "upgrade.ended");
    assertThat(same).isEqualTo(created);
    assertThat(changed.version()).isEqualTo(2);
    assertThat(changed.changedBy()).isEqualTo("bob");
    assertThat(webhooks.list(tenant, PageRequest.first(10)).rows()).containsExactly(changed);
    assertThat(webhooks.count(tenant)).isEqualTo(1);
    assertThatThrownBy(() -> webhooks.create(spec("chat", 0), "sealed", "ann"))
        .isInstanceOf(ConcurrentModification.class);
    assertThatThrownBy(() ->
            webhooks.create(
                new WebhookSpec(new WebhookId("unknown", "chat"), "https://a/", "", List.of(), 0), "sealed", "ann"))
        .isInstanceOf(NoSuchTenant.class);
    assertThat(webhooks.remove(id("chat"))).isTrue();
    assertThat(webhooks.remove(id("chat"))).isFalse();
  }

  @Test
  void whoDisabledItStaysUntilItIsEnabled() {
    webhooks.create(spec("chat", 0), "sealed", "ann");
    assertThat(webhooks.enable(id("chat"), "ann").disabledBy()).isEmpty();

    Instant disabled = clock.advance(Duration.ofMinutes(1));
    assertThat(webhooks.disable(id("chat"), "webhook chat", "gone")).isTrue();
    assertThat(webhooks.disable(id("chat"), "bob", "")).as("the first one stays").isFalse();
    WebhookRow row = webhooks.change(spec("chat", 60), "bob");

    assertThat(row.disabledBy()).contains("webhook chat");
    assertThat(row.disabledAt()).contains(disabled);
    assertThat(row.disabledReason()).contains("gone");
    assertThat(webhooks.enable(id("chat"), "ann").disabledReason()).isEmpty();
  }

  @Test
  void theSecretBeforeStaysForAWhile() {
    webhooks.create(spec("chat", 0), "first", "ann");
    Instant until = clock.instant().plus(Duration.ofHours(24));

    WebhookRow rotated = webhooks.rotateSecret(id("chat"), "second", until, "bob");

    assertThat(rotated.secret()).isEqualTo("second");
    assertThat(rotated.previousSecret()).contains("first");
    assertThat(rotated.previousSecretUntil()).contains(until);
    assertThat(rotated.toString()).doesNotContain("first", "second");
    assertThat(webhooks.replaceEncryption(tenant, "chat", "another", "x")).isZero();
    assertThat(webhooks.replaceEncryption(tenant, "chat", "second", "second again")).isEqualTo(1);
    assertThat(webhooks.replaceEncryption(tenant, "chat", "first", "first again")).isEqualTo(1);
    WebhookRow again = webhooks.find(id("chat")).orElseThrow();
    assertThat(again.secret()).isEqualTo("second again");
    assertThat(again.previousSecret()).contains("first again");
  }

  @Test
  void whatIsDeliveredIsRecordedFromItsPositionOnly() {
    webhooks.create(spec("chat", 0), "sealed", "ann");
    deliveries.begin(id("chat"), 5);
    assertThat(deliveries.recordDelivered(id("chat"), 5, 7)).isTrue();
    assertThat(deliveries.recordDelivered(id("chat"), 5, 6)).as("of a server that was frozen").isFalse();
    Instant first = clock.advance(Duration.ofMinutes(1));
    deliveries.recordFailure(id("chat"), 7, "refused");
    clock.advance(Duration.ofMinutes(1));
    deliveries.recordFailure(id("chat"), 7, "refused again");
    deliveries.recordFailure(id("chat"), 5, "of a server that was frozen");

    WebhookDeliveryRow failing = deliveries.find(id("chat")).orElseThrow();
    assertThat(failing.position()).isEqualTo(7);
    assertThat(failing.deliveredNumber()).isEqualTo(7);
    assertThat(failing.failuresInARow()).isEqualTo(new Failures(2, Optional.of(first)));
    assertThat(failing.lastError()).contains("refused again");

    assertThat(deliveries.skipTo(id("chat"), 7, 9)).isTrue();
    assertThat(deliveries.recordDelivered(id("chat"), 9, 10)).isTrue();
    WebhookDeliveryRow recovered = deliveries.find(id("chat")).orElseThrow();
    assertThat(recovered.failuresInARow()).isEqualTo(Failures.NONE);
    assertThat(recovered.lastError()).contains("refused again");

    deliveries.recordFailure(id("chat"), 10, "refused");
    deliveries.forgetFailures(id("chat"));
    assertThat(deliveries.find(id("chat")).orElseThrow().failuresInARow()).isEqualTo(Failures.NONE);

    deliveries.begin(id("chat"), 20);
    assertThat(deliveries.find(id("chat")).orElseThrow().position()).isEqualTo(20);
    webhooks.remove(id("chat"));
    assertThat(deliveries.find(id("chat"))).isEmpty();
    assertThat(deliveries.recordDelivered(id("chat"), 20, 21)).isFalse();
  }

  @Test
  void aLimitHoldsHoweverManyAreCreatedAtOnce() throws InterruptedException {
    List<Callable<Boolean>> creations =
        IntStream.range(0, 12).<Callable<Boolean>>mapToObj(i -> () -> createBelow(5, "chat-" + i)).toList();

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(threads.invokeAll(creations).stream().filter(Future::resultNow)).hasSize(5);
    }
    assertThat(webhooks.count(tenant)).isEqualTo(5);
  }

  private boolean createBelow(long limit, String name) {
    return database.inTransaction(() -> {
      database.repository(TenantRepository.class).lock(tenant);
      boolean isBelow = webhooks.count(tenant) < limit;
      if (isBelow) {
        webhooks.create(spec(name, 0), "sealed", "ann");
      }
      return isBelow;
    });
  }

  @Test
  void onlyEnabledOnesAreLookedAfter() {
    for (String name : List.of("a", "b")) {
      webhooks.create(spec(name, 0), "sealed", "ann");
      deliveries.begin(id(name), 3);
    }
    webhooks.enable(id("b"), "ann");

    assertThat(deliveries.listEnabled().stream().filter(each -> each.tenant().equals(tenant)))
        .containsExactly(new WebhookPosition(tenant, "b", 3, 0));
  }

  private WebhookId id(String name) {
    return new WebhookId(tenant, name);
  }

  private WebhookSpec spec(String name, long escalateAfter) {
    return new WebhookSpec(
        id(name), "https://example.com/", "for the chat", List.of("rollout.*", "upgrade.ended"), escalateAfter);
  }
}
