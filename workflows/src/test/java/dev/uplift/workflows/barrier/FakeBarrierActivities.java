package dev.uplift.workflows.barrier;

import dev.uplift.fleet.barrier.BarrierAction;
import dev.uplift.fleet.barrier.BarrierCounts;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.fleet.barrier.BarrierState;
import dev.uplift.fleet.barrier.WhenNotHalted;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// The rows and the twelve hosts of a barrier. Records what the workflow asks for.
final class FakeBarrierActivities implements BarrierSteps, BarrierRecords {
  static final int HOSTS = 12;

  final List<String> calls = new CopyOnWriteArrayList<>();
  volatile WhenNotHalted rule = WhenNotHalted.ABORT;
  volatile int silent;
  volatile MigrationResult migration = new MigrationResult(false, true, "upgraded");
  private BarrierState state = BarrierState.HALTING;
  private Optional<String> continuedBy = Optional.empty();
  private Optional<String> abortedBy = Optional.empty();
  private Optional<BarrierOutcome> outcome = Optional.empty();
  private String message = "";
  private boolean haveHalted;
  private boolean haveResumed;

  @Override
  public synchronized BarrierStatus haltHosts(BarrierInput input) {
    calls.add("halt");
    haveHalted = true;
    return status();
  }

  @Override
  public synchronized MigrationResult migrateDevice(BarrierInput input) {
    calls.add("migrate " + input.migratedBy().orElse(""));
    return migration;
  }

  @Override
  public synchronized BarrierStatus resumeHosts(BarrierInput input) {
    calls.add("resume");
    haveResumed = true;
    return status();
  }

  @Override
  public synchronized BarrierResult end(BarrierInput input) {
    calls.add("end");
    state = BarrierState.ENDED;
    return new BarrierResult(outcome.orElseThrow(), message);
  }

  @Override
  public synchronized BarrierStatus read(BarrierInput input) {
    return status();
  }

  @Override
  public synchronized BarrierStatus recordHalted(BarrierInput input) {
    if (state == BarrierState.HALTING && abortedBy.isEmpty()) {
      calls.add("halted");
      state = BarrierState.HALTED;
    }
    return status();
  }

  @Override
  public synchronized RecordedRequest recordRequest(BarrierInput input, BarrierRequest request) {
    Optional<String> refusal = request.action().refusal(state, input.migratedBy().isEmpty(), false);
    if (refusal.isEmpty()) {
      calls.add(request.action().toString());
      if (request.action() == BarrierAction.ABORT) {
        abortedBy = Optional.of(request.by());
      } else {
        continuedBy = Optional.of(request.by());
      }
    }
    return new RecordedRequest(refusal.orElse(""), status());
  }

  @Override
  public synchronized BarrierStatus recordResuming(BarrierInput input, BarrierOutcome how, String why) {
    if (state != BarrierState.RESUMING) {
      calls.add("resuming: " + how);
      state = BarrierState.RESUMING;
      outcome = Optional.of(how);
      message = why;
    }
    return status();
  }

  private BarrierStatus status() {
    int missing = haveHalted ? silent : 0;
    int halted = haveHalted && !haveResumed ? HOSTS - silent : 0;
    int resumed = haveResumed ? HOSTS - silent : 0;
    return new BarrierStatus(
        state,
        new BarrierCounts(haveHalted ? 0 : HOSTS, halted, missing, resumed),
        haveHalted && silent > 0,
        rule,
        continuedBy,
        abortedBy,
        missing > 0 ? List.of("till-9: it has not answered") : List.of(),
        outcome,
        message);
  }
}
