package dev.uplift.store.barrier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.barrier.BarrierCounts;
import dev.uplift.fleet.barrier.BarrierHostState;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.fleet.barrier.BarrierState;
import dev.uplift.fleet.pin.PinOrigin;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.PageRequest;
import dev.uplift.store.barrier.BarrierRepository.CreateResult;
import dev.uplift.store.barrier.BarrierRepository.TakenDevice;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.event.TenantEventRepository;
import dev.uplift.store.event.TenantEventRow;
import dev.uplift.store.pin.PinRepository;
import dev.uplift.store.pin.PinRow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class BarrierRepositoryTest extends DatabaseScenario {
  private BarrierRepository barriers = database.repository(BarrierRepository.class);
  private BarrierHostRepository hosts = database.repository(BarrierHostRepository.class);

  @BeforeEach
  void open() {
    barriers = database.repository(BarrierRepository.class);
    hosts = database.repository(BarrierHostRepository.class);
  }

  @Test
  void aBarrierGoesFromHaltingToItsEndAndNeverBack() {
    BarrierId id = create("schema-7", "north", "south");

    barriers.recordContinue(id, "ann");
    assertThat(barriers.find(id).orElseThrow().continuedBy()).as("not before it has halted").isEmpty();
    assertThat(barriers.recordHalted(id, barriers.count(id)).state()).isEqualTo(BarrierState.HALTED);
    barriers.recordContinue(id, "ann");
    barriers.recordContinue(id, "bob");
    assertThat(barriers.recordResuming(id, BarrierOutcome.COMPLETED, "continued by ann").state())
        .isEqualTo(BarrierState.RESUMING);
    barriers.recordAbort(id, "bob", "too late");
    assertThat(barriers.recordResuming(id, BarrierOutcome.ABORTED, "aborted by bob").outcome())
        .contains(BarrierOutcome.COMPLETED);
    BarrierRow ended = barriers.recordEnd(id, Optional.of("barrier-schema-7"));

    assertThat(ended.state()).isEqualTo(BarrierState.ENDED);
    assertThat(ended.continuedBy()).contains("ann");
    assertThat(ended.abortedBy()).isEmpty();
    assertThat(ended.rollout()).contains("barrier-schema-7");
    assertThat(barriers.recordEnd(id, Optional.empty())).isEqualTo(ended);
    assertThat(events()).containsExactly("barrier.started", "barrier.halted", "barrier.resumed", "barrier.ended");
  }

  @Test
  void itsDevicesArePinnedUntilItEndsAndInNoOtherOpenBarrierOfThePackage() {
    BarrierId id = create("schema-7", "north", "south");

    List<PinRow> pins = database.repository(PinRepository.class).find(new DeviceId(tenant, "north"));
    assertThat(pins).extracting(PinRow::origin).containsExactly(PinOrigin.BARRIER);
    assertThat(pins.getFirst().pin().describe()).contains("till is halted for barrier schema-7 until ");
    assertThat(database.repository(PinRepository.class).findAll(tenant, PageRequest.first(1)).rows()).isEqualTo(pins);
    CreateResult other =
        database.inRolledBackTransaction(() -> barriers.create(newBarrier("schema-8", "south", "west"), "bob"));
    assertThat(other.row()).isEmpty();
    assertThat(other.taken()).containsExactly(new TakenDevice("south", "schema-7"));

    barriers.recordResuming(id, BarrierOutcome.ABORTED, "aborted by ann");
    barriers.recordEnd(id, Optional.empty());

    assertThat(database.repository(PinRepository.class).find(new DeviceId(tenant, "north"))).isEmpty();
    assertThat(create("schema-8", "south", "west")).isNotNull();
  }

  @Test
  void aNameIsThatOfTheFirstWhoTookIt() {
    create("schema-7", "north");

    CreateResult again = database.inTransaction(() -> barriers.create(newBarrier("schema-7", "south"), "bob"));

    assertThat(again.isNew()).isFalse();
    assertThat(again.row().orElseThrow().createdBy()).isEqualTo("ann");
    assertThat(again.taken()).isEmpty();
    assertThat(database.repository(PinRepository.class).find(new DeviceId(tenant, "south"))).isEmpty();
  }

  @Test
  void hostsAreCountedAndListedByTheirState() {
    BarrierId id = create("schema-7", "north", "south", "west");
    hosts.recordHalted(id, new HostId("north-1"));
    hosts.recordMissing(id, new HostId("south-1"), "it has not answered");
    hosts.recordHalted(id, new HostId("south-1"));

    assertThat(barriers.count(id)).isEqualTo(new BarrierCounts(1, 1, 1, 0));
    assertThat(hosts.listInState(id, BarrierHostState.MISSING))
        .extracting(BarrierHostRow::detail)
        .containsExactly("it has not answered");
    assertThat(hosts.list(id, "pending", PageRequest.first(10)).rows())
        .extracting(row -> row.host().value())
        .containsExactly("west-1");
    hosts.recordResumed(id, new HostId("north-1"), "");
    hosts.recordResumed(id, new HostId("south-1"), "");
    assertThat(barriers.count(id)).isEqualTo(new BarrierCounts(1, 0, 1, 1));
    assertThat(hosts.list(id, "", PageRequest.first(2)).next()).isPresent();
  }

  @Test
  void onlyTheAnswerToTheNewestCommandCounts() {
    BarrierId id = create("schema-7", "north");
    var host = new HostId("north-1");
    hosts.nextHalt(id, host, "");
    answer(id, host, Step.HALT, 1, "{\"first\":1}");

    assertThat(hosts.listHaltAnswers(tenant, id.name(), id.commandOwner()))
        .containsExactly(new AnsweredHost("north-1", "{\"first\":1}"));
    hosts.nextHalt(id, host, "clock-unknown");
    assertThat(hosts.listHaltAnswers(tenant, id.name(), id.commandOwner())).isEmpty();
    hosts.recordHalted(id, host);
    hosts.nextResume(id, host, "");
    answer(id, host, Step.RESUME, 1, "{\"second\":2}");
    assertThat(hosts.listResumeAnswers(tenant, id.name(), id.commandOwner()))
        .containsExactly(new AnsweredHost("north-1", "{\"second\":2}"));
  }

  @Test
  void theNewestAreListedFirstAndTheOpenOnesAreFound() {
    BarrierId first = create("schema-7", "north");
    clock.advance(Duration.ofSeconds(1));
    BarrierId second = create("schema-8", "south");
    barriers.recordResuming(first, BarrierOutcome.ABORTED, "aborted by ann");
    barriers.recordEnd(first, Optional.empty());

    assertThat(barriers.list(tenant, "", PageRequest.first(10)).rows())
        .extracting(BarrierRow::id)
        .containsExactly(second, first);
    assertThat(barriers.list(tenant, "ended", PageRequest.first(10)).rows())
        .extracting(BarrierRow::id)
        .containsExactly(first);
    assertThat(barriers.findOpen()).extracting(BarrierRow::id).contains(second).doesNotContain(first);
  }

  private void answer(BarrierId id, HostId host, Step step, int generation, String outcome) {
    CommandRepository commands = database.repository(CommandRepository.class);
    var key = new CommandKey(tenant, id.commandOwner(), host, step, generation);
    String command = commands.createIfAbsent(key, basis -> new SignedCommand(basis.id(), "{}", "signature")).id();
    assertThat(commands.createIfAbsent(key, _ -> new SignedCommand("other", "{}", "signature")).id())
        .isEqualTo(command);
    commands.recordOutcome(tenant, host, command, outcome);
  }

  private BarrierId create(String name, String... devices) {
    database.inTransaction(() -> barriers.create(newBarrier(name, devices), "ann"));
    return new BarrierId(tenant, name);
  }

  private NewBarrier newBarrier(String name, String... devices) {
    var all = new TreeMap<String, List<HostId>>();
    for (String device : devices) {
      all.put(device, List.of(new HostId(device + "-1")));
    }
    return new NewBarrier(
        new BarrierId(tenant, name),
        "till",
        "{}",
        Optional.empty(),
        "a migration by ann",
        all,
        clock.instant().plusSeconds(60),
        clock.instant().plusSeconds(600));
  }

  private List<String> events() {
    TenantEventRepository events = database.repository(TenantEventRepository.class);
    var _ = events.numberNew(tenant);
    return events.listAfter(tenant, 0, 100).stream()
        .filter(event -> event.barrier().equals(Optional.of("schema-7")))
        .map(TenantEventRow::kind)
        .toList();
  }
}
