package dev.uplift.activities.host;

import static dev.uplift.protocol.ErrorClass.FINAL;
import static dev.uplift.protocol.ErrorClass.RETRYABLE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostByHand;
import dev.uplift.activities.Scenario;
import dev.uplift.activities.World;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Result.Done;
import dev.uplift.protocol.Result.Failed;
import dev.uplift.store.CommandRow;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BridgeTest extends Scenario {
  @Override
  protected World world() {
    return World.shared();
  }

  @Test
  void answersEndTheirWaits() throws Exception {
    start(withoutResends());
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    Command upgrade = host.next(Action.UPGRADE);
    host.beat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void commandCarriesTheReleaseItsSignatureAndAnAddressForThisHostAlone() throws Exception {
    start(withoutResends());
    Command prepare = host.next(Action.PREPARE);
    host.answer(prepare, "1.4.0", new Done());
    Command upgrade = host.next(Action.UPGRADE);

    assertThat(prepare.release()).contains("\"version\":\"1.5.0\"");
    assertThat(prepare.releaseSignature()).isNotEmpty();
    assertThat(prepare.artifactUrl()).contains("host=" + host.id()).contains("tenant=acme");
    assertThat(upgrade.digest()).isEqualTo("ab".repeat(32));
    assertThat(upgrade.artifactUrl()).isEmpty();
  }

  @Test
  void slotIsEmptyOnceTheOutcomeIsStored() throws Exception {
    start(withoutResends());
    Command prepare = host.next(Action.PREPARE);
    host.answer(prepare, "1.4.0", failed(FINAL));

    assertThat(ending().outcome()).isEqualTo(Outcome.PREPARE_FAILED);
    await()
        .untilAsserted(() -> {
          int before = host.all().size();
          host.lookNow();
          assertThat(host.all()).hasSize(before);
        });
  }

  @Test
  void secondAnswerIsKeptAndTheFirstOneCounts() throws Exception {
    start(withoutResends());
    Command prepare = host.next(Action.PREPARE);

    host.answer(prepare, "1.4.0", new Done());
    host.answer(prepare, "1.4.0", failed(FINAL));

    assertThat(host.next(Action.UPGRADE).epoch()).isGreaterThan(prepare.epoch());
    await()
        .until(() ->
            world().tables().commands().timeline("acme", upgrade).getFirst().late().size() == 1);
    assertThat(row(prepare).outcome().orElseThrow()).contains("\"result\":\"done\"");
  }

  @Test
  void hostCannotAnswerForAnother() throws Exception {
    double before = world().refused("event");
    start(withoutResends());
    Command prepare = host.next(Action.PREPARE);
    HostByHand other = connect("right");

    other.answer(prepare, "1.4.0", new Done());

    await().until(() -> world().refused("event") == before + 1);
    assertThat(row(prepare).outcome()).isEmpty();
    assertThat(waitsFor()).contains(Step.PREPARE);
  }

  @Test
  void answerThatCannotBeReadOrPlacedIsRefusedAndCounted() throws Exception {
    double before = world().refused("event");

    host.say(host.subject(), "{}".getBytes(UTF_8));
    host.say(host.subject(), "no JSON".getBytes(UTF_8));
    host.say(host.outcome("unheard-of", 1, "1.4.0", new Done()));

    await().until(() -> world().refused("event") == before + 3);
  }

  @Test
  void silentHostIsAskedAgainWithTheSameBytes() throws Exception {
    start(pace(Duration.ofMinutes(5)));
    String first = host.bytes();
    String second = host.bytes();

    assertThat(second).isEqualTo(first);
    host.answer(HostByHand.read(second), "1.4.0", new Done());
    assertThat(host.next(Action.UPGRADE)).isNotNull();
  }

  @Test
  void failureThatArrivesBetweenTwoSendsIsNotLost() throws Exception {
    start(pace(Duration.ofMinutes(5)));
    Command prepare = host.next(Action.PREPARE);
    awaitBackOff();

    host.answer(prepare, "1.4.0", failed(FINAL));

    assertThat(ending().outcome()).isEqualTo(Outcome.PREPARE_FAILED);
    assertThat(ending().reason().orElseThrow().text()).isEqualTo("/var: 12 MB left");
  }

  @Test
  void retryableErrorIsOrderedAnewAsAnotherCommand() throws Exception {
    start(withoutResends());
    Command first = host.next(Action.PREPARE);
    host.answer(first, "1.4.0", failed(RETRYABLE));

    Command second = host.nextAfter(first);

    assertThat(second.action()).isEqualTo(Action.PREPARE);
    assertThat(second.id()).isNotEqualTo(first.id());
  }

  @Test
  void answerAfterTheEndIsKeptAndChangesNothing() throws Exception {
    start(pace(Duration.ofSeconds(5)));
    Command prepare = host.next(Action.PREPARE);
    assertThat(ending().outcome()).isEqualTo(Outcome.PREPARE_FAILED);

    host.answer(prepare, "1.4.0", new Done());

    await().until(() -> row(prepare).outcome().isPresent());
    assertThat(recorded().orElseThrow().outcome()).isEqualTo(Outcome.PREPARE_FAILED);
  }

  @Test
  void acceptedAfterTheOutcomeChangesNothing() throws Exception {
    start(withoutResends());
    Command prepare = host.next(Action.PREPARE);
    host.answer(prepare, "1.4.0", new Done());
    host.accepts(prepare, "1.4.0");
    host.next(Action.UPGRADE);

    assertThat(row(prepare).outcome().orElseThrow()).contains("\"result\":\"done\"");
  }

  private CommandRow row(Command command) {
    Optional<CommandRow> row =
        world().tables().commands().find(command.tenant(), host.id(), command.id());
    return row.orElseThrow();
  }

  private static Failed failed(ErrorClass errorClass) {
    return new Failed("disk-full", errorClass, "/var: 12 MB left");
  }
}
