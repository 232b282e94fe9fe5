package dev.uplift.activities.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.reconciler.FailingWorkflowMonitor;
import dev.uplift.activities.temporal.RequestSeal;
import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.activities.temporal.WorkflowTaskFailures;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.services.TestStacks;
import dev.uplift.services.event.EventNumbers;
import dev.uplift.services.webhook.SecretEncryption;
import dev.uplift.services.webhook.WebhookPublisher;
import dev.uplift.services.webhook.WebhookSecret;
import dev.uplift.services.webhook.WebhookSender;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.event.TenantEventRepository;
import dev.uplift.store.reconciler.FailingWorkflowRepository;
import dev.uplift.store.reconciler.ReconcilerLeaseRepository;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.webhook.WebhookRow;
import dev.uplift.store.webhook.WebhookSpec;
import dev.uplift.workflows.webhook.WebhookInput;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two servers on one database. No worker runs, so the history of a webhook's workflow has every signal and nothing
/// else.
final class WebhookSchedulerTest {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final WebhookSecret SECRET = WebhookSecret.generate();
  private static final WebhookSecret PREVIOUS = WebhookSecret.generate();

  private final WebhookId webhook = new WebhookId(TestStacks.TENANT, "lease-" + UUID.randomUUID());
  private final Instant start = Instant.parse("2026-11-26T12:00:00Z");
  private Duration elapsed = Duration.ZERO;

  /// How long the next statement that needs the time takes.
  private Duration delay = Duration.ZERO;

  private final Database database = Database.open(DatabaseSettings.h2InMemory(), this::readClock);
  private final WebhookRepositories tables = database.repository(WebhookRepositories.class);
  private final TenantEventRepository events = database.repository(TenantEventRepository.class);
  private final TemporalClients temporal =
      new TemporalClients(
          new TemporalSettings(TestStacks.shared().temporal().target(), TestStacks.shared().temporal().namespace()),
          new RequestSeal("secret"),
          new SimpleMeterRegistry());
  private final SecretEncryption encryption = new SecretEncryption("old secret");
  private final WebhookSender sender = new WebhookSender(true, WebhookSender.TIMEOUT, this::readClock);
  private final WebhookPublisher publisher = new WebhookPublisher(encryption, sender, this::readClock);
  private final WebhookScheduler one = server();
  private final WebhookScheduler other = server();

  private Instant readClock() {
    Instant now = start.plus(elapsed);
    elapsed = elapsed.plus(delay);
    delay = Duration.ZERO;
    return now;
  }

  private WebhookScheduler server() {
    return new WebhookScheduler(
        tables,
        new EventNumbers(events),
        new WebhookWorkflowClient(temporal),
        publisher,
        new FailingWorkflowMonitor(
            database.repository(FailingWorkflowRepository.class),
            new WorkflowTaskFailures(temporal),
            new SimpleMeterRegistry()),
        database.repository(ReconcilerLeaseRepository.class),
        () -> start.plus(elapsed));
  }

  @BeforeEach
  void createWebhook() {
    database.repository(TenantRepository.class).put(webhook.tenant(), "");
    tables
        .webhooks()
        .create(
            new WebhookSpec(webhook, "https://example.com/", "", List.of(), 0),
            publisher.encrypt(webhook, PREVIOUS),
            "ann");
    tables
        .webhooks()
        .rotateSecret(webhook, publisher.encrypt(webhook, SECRET), start.plus(Duration.ofHours(24)), "ann");
    tables.deliveries().begin(webhook, 0);
  }

  @AfterEach
  void close() {
    if (signals() > 0) {
      client().newUntypedWorkflowStub(workflowId()).terminate("the test is over");
    }
    sender.close();
    temporal.close();
    database.close();
  }

  @Test
  void oneOfTwoServersTellsForAsLongAsItRenewsItsLease() {
    enable();
    for (int event = 1; event <= 5; event++) {
      publish();
      one.run();
      other.run();
      assertThat(signals()).isEqualTo(event);
      pass(Duration.ofSeconds(6));
    }

    publish();
    other.run();
    assertThat(signals()).as("the lease of the first one lasts").isEqualTo(5);
  }

  @Test
  void anotherServerTakesOverWhenTheLeaseHasLapsedAndTheFirstOneTellsNothingMore() {
    enable();
    publish();
    one.run();
    publish();
    pass(LEASE.minusMillis(1));
    other.run();
    assertThat(signals()).isEqualTo(1);

    pass(Duration.ofSeconds(5));
    other.run();
    assertThat(signals()).isEqualTo(2);

    publish();
    one.run();
    assertThat(signals()).isEqualTo(2);
    other.run();
    assertThat(signals()).isEqualTo(3);
  }

  @Test
  void aLeaseCountsFromTheMomentAtWhichItWasAskedFor() {
    enable();
    delay = Duration.ofSeconds(12);
    one.run();
    pass(Duration.ofSeconds(4));
    other.run();

    publish();
    one.run();

    assertThat(signals()).isZero();
    other.run();
    assertThat(signals()).isEqualTo(1);
  }

  @Test
  void aLeaseThatIsOverWhenItsAnswerComesIsNone() {
    enable();
    publish();
    delay = LEASE;
    one.run();
    assertThat(signals()).isZero();

    other.run();
    assertThat(signals()).isEqualTo(1);
  }

  @Test
  void bothSecretsAreEncryptedAgainOnceTheServersSecretHasAnotherFirstLine() {
    WebhookRow before = row();
    one.reconcile();
    assertThat(row()).as("while the secret is the same").isEqualTo(before);

    encryption.replace("new secret\nold secret");
    one.reconcile();
    WebhookRow after = row();
    other.reconcile();

    assertThat(row()).as("once").isEqualTo(after);
    assertThat(after.version()).isEqualTo(before.version());
    var withoutTheOldLine = new SecretEncryption("new secret");
    assertThat(withoutTheOldLine.decrypt(webhook.toString(), after.secret())).hasValue(SECRET.key());
    assertThat(withoutTheOldLine.decrypt(webhook.toString(), after.previousSecret().orElseThrow()))
        .hasValue(PREVIOUS.key());
  }

  @Test
  void aSecretThatCannotBeReadStaysAsItIsUntilTheOldLineIsBack() {
    WebhookRow before = row();
    encryption.replace("new secret");
    one.reconcile();
    assertThat(row()).isEqualTo(before);

    encryption.replace("new secret\nold secret");
    one.reconcile();

    assertThat(new SecretEncryption("new secret").decrypt(webhook.toString(), row().secret())).hasValue(SECRET.key());
  }

  private void enable() {
    tables.webhooks().enable(webhook, "ann");
  }

  private void publish() {
    events.appendPublished(webhook.tenant(), new Release("os", "v" + UUID.randomUUID()));
  }

  private void pass(Duration time) {
    elapsed = elapsed.plus(time);
  }

  private WebhookRow row() {
    return tables.webhooks().find(webhook).orElseThrow();
  }

  private long signals() {
    return TemporalClients.isRunning(client(), workflowId())
        ? client().fetchHistory(workflowId()).getEvents().stream()
            .filter(HistoryEvent::hasWorkflowExecutionSignaledEventAttributes)
            .count()
        : 0;
  }

  private String workflowId() {
    return WebhookInput.workflowId(webhook.tenant(), webhook.name());
  }

  private WorkflowClient client() {
    return temporal.requestClient();
  }
}
