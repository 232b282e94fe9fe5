package dev.uplift.activities.host;

import static dev.uplift.protocol.WireErrorClass.FINAL;
import static dev.uplift.protocol.WireErrorClass.RETRYABLE;
import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.activities.NatsTestHost;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.protocol.CommandResult.Failed;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.WireErrorClass;
import dev.uplift.store.command.CommandRow;
import io.temporal.api.failure.v1.Failure;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class EventConsumerTest extends HostUpgradeScenario {
  @Override
  protected InProcessServer server() {
    return InProcessServer.shared();
  }

  @Test
  void answersCompleteTheirActivities() throws Exception {
    start(withoutResends());
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);
    host.sendHeartbeat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void commandHasTheSignedReleaseAndAUrlForThisHostOnly() throws Exception {
    start(withoutResends());
    Command prepare = host.awaitCommand(CommandAction.PREPARE);
    host.answer(prepare, "1.4.0", new Done());
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);

    assertThat(prepare.order())
        .isInstanceOfSatisfying(
            Order.Prepare.class,
            order -> {
              assertThat(order.release().manifest()).contains("\"version\":\"1.5.0\"");
              assertThat(order.release().signature()).isNotEmpty();
              assertThat(order.artifactUrl()).contains("host=" + host.id()).contains("tenant=acme");
            });
    assertThat(upgrade.order())
        .isInstanceOfSatisfying(Order.Upgrade.class, order -> assertThat(order.digest()).isEqualTo("ab".repeat(32)));
  }

  @Test
  void commandIsRemovedOnceTheOutcomeIsStored() throws Exception {
    start(withoutResends());
    Command prepare = host.awaitCommand(CommandAction.PREPARE);
    host.answer(prepare, "1.4.0", failed(FINAL));

    assertThat(result().outcome()).isEqualTo(Outcome.PREPARE_FAILED);
    await()
        .untilAsserted(() -> {
          int before = host.allCommands().size();
          host.readCommandAgain();
          assertThat(host.allCommands()).hasSize(before);
        });
  }

  @Test
  void failedStepIsAFailedActivityInTemporal() throws Exception {
    start(withoutResends());

    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", failed(FINAL));

    assertThat(result().outcome()).isEqualTo(Outcome.PREPARE_FAILED);
    assertThat(history())
        .filteredOn(event -> event.getEventType() == EVENT_TYPE_ACTIVITY_TASK_FAILED)
        .singleElement()
        .extracting(event -> event.getActivityTaskFailedEventAttributes().getFailure())
        .returns("/var: 12 MB left", Failure::getMessage)
        .returns("disk-full", failure -> failure.getApplicationFailureInfo().getType());
  }

  @Test
  void secondAnswerIsRecordedAndTheFirstOneCounts() throws Exception {
    start(withoutResends());
    Command prepare = host.awaitCommand(CommandAction.PREPARE);

    host.answer(prepare, "1.4.0", new Done());
    host.answer(prepare, "1.4.0", failed(FINAL));

    assertThat(host.awaitCommand(CommandAction.UPGRADE).epoch()).isGreaterThan(prepare.epoch());
    await()
        .until(
            () -> server().repositories().commands().timeline("acme", upgrade).getFirst().lateOutcomes().size() == 1);
    assertThat(row(prepare).outcome().orElseThrow()).contains("\"result\":\"done\"");
  }

  @Test
  void hostCannotAnswerForAnother() throws Exception {
    double before = server().rejectedCount("event");
    start(withoutResends());
    Command prepare = host.awaitCommand(CommandAction.PREPARE);
    NatsTestHost other = connect("right");

    other.answer(prepare, "1.4.0", new Done());

    await().until(() -> server().rejectedCount("event") == before + 1);
    assertThat(row(prepare).outcome()).isEmpty();
    assertThat(currentWait()).contains(Step.PREPARE);
  }

  @Test
  void malformedOrUnknownAnswersAreRejectedAndCounted() throws Exception {
    double before = server().rejectedCount("event");

    host.publishEvent(host.subject(), "{}".getBytes(UTF_8));
    host.publishEvent(host.subject(), "no JSON".getBytes(UTF_8));
    host.publishEvent(host.outcome("unheard-of", 1, "1.4.0", new Done()));

    await().until(() -> server().rejectedCount("event") == before + 3);
  }

  @Test
  void answerThatIsNotUnderstoodFailsTheStepAtOnce() throws Exception {
    start(withoutResends());
    Command prepare = host.awaitCommand(CommandAction.PREPARE);
    String done = new String(host.outcome(prepare.id(), prepare.epoch(), "1.4.0", new Done()).write(), UTF_8);

    host.publishEvent(
        host.subject(), done.replace("\"done\"", "\"sorry\",\"text\":\"the disk is gone\"").getBytes(UTF_8));

    assertThat(result().outcome()).isEqualTo(Outcome.PREPARE_FAILED);
    assertThat(result().reason().orElseThrow())
        .returns("unknown-result", Reason::code)
        .returns("unknown result \"sorry\": the disk is gone", Reason::message);
  }

  @Test
  void commandToASilentHostIsPublishedAgainWithTheSameBytes() throws Exception {
    start(timeouts(Duration.ofMinutes(5)));
    String first = host.awaitCommandText();
    String second = host.awaitCommandText();

    assertThat(second).isEqualTo(first);
    host.answer(NatsTestHost.read(second), "1.4.0", new Done());
    assertThat(host.awaitCommand(CommandAction.UPGRADE)).isNotNull();
  }

  @Test
  void failureThatArrivesBetweenTwoSendsIsNotLost() throws Exception {
    start(timeouts(Duration.ofMinutes(5)));
    Command prepare = host.awaitCommand(CommandAction.PREPARE);
    untilRetryIsScheduled();

    host.answer(prepare, "1.4.0", failed(FINAL));

    assertThat(result().outcome()).isEqualTo(Outcome.PREPARE_FAILED);
    assertThat(result().reason().orElseThrow().message()).isEqualTo("/var: 12 MB left");
  }

  @Test
  void retryableErrorLeadsToAnotherCommand() throws Exception {
    start(withoutResends());
    Command first = host.awaitCommand(CommandAction.PREPARE);
    host.answer(first, "1.4.0", failed(RETRYABLE));

    Command second = host.awaitCommandAfter(first);

    assertThat(second.action()).isEqualTo(CommandAction.PREPARE);
    assertThat(second.id()).isNotEqualTo(first.id());
  }

  @Test
  void answerAfterTheEndIsRecordedAndChangesNothing() throws Exception {
    start(timeouts(Duration.ofSeconds(5)));
    Command prepare = host.awaitCommand(CommandAction.PREPARE);
    assertThat(result().outcome()).isEqualTo(Outcome.EXPIRED);

    host.answer(prepare, "1.4.0", new Done());

    await().until(() -> row(prepare).outcome().isPresent());
    assertThat(recordedEnd().orElseThrow().outcome()).isEqualTo(Outcome.EXPIRED);
  }

  @Test
  void acceptedAfterTheOutcomeChangesNothing() throws Exception {
    start(withoutResends());
    Command prepare = host.awaitCommand(CommandAction.PREPARE);
    host.answer(prepare, "1.4.0", new Done());
    host.accept(prepare, "1.4.0");
    host.awaitCommand(CommandAction.UPGRADE);

    assertThat(row(prepare).outcome().orElseThrow()).contains("\"result\":\"done\"");
  }

  private CommandRow row(Command command) {
    Optional<CommandRow> row = server().repositories().commands().find(command.tenant(), host.id(), command.id());
    return row.orElseThrow();
  }

  private static Failed failed(WireErrorClass wireErrorClass) {
    return new Failed("disk-full", wireErrorClass, "/var: 12 MB left");
  }
}
