package dev.uplift.workflows.policy;

import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Has the devices of a policy looked at, waits until something changes, and has them looked at again: one device if
/// only that has changed, else all.
public final class PolicyEnforcementImpl implements PolicyEnforcement {
  /// After so many a run continues as new: its history has some thousand events by then.
  static final int MAX_LOOKS = 300;

  private final SortedSet<String> changedDevices = new TreeSet<>();
  private @Nullable PolicyReport report;

  /// True if any device may have changed.
  private boolean allChanged = true;

  /// True if a run is to begin.
  private boolean runRequested;

  /// When all devices are looked at next, unless something changes before.
  private Instant nextCheck = Instant.MIN;

  @Override
  public void run(PolicyInput input) {
    boolean enabled = true;
    for (int looks = 0; runRequested || !isLong(looks); ) {
      if (isChanged() || isDue()) {
        enabled = enforce(input).enabled();
        looks++;
      } else if (enabled) {
        awaitChange();
      } else {
        return;
      }
    }
    // The next run of this workflow looks at all devices first. It does not know of a run of the policy that is to
    // begin.
    Workflow.continueAsNew(input);
  }

  private static boolean isLong(int looks) {
    return looks >= MAX_LOOKS || Workflow.getInfo().isContinueAsNewSuggested();
  }

  private PolicyReport enforce(PolicyInput input) {
    boolean all = runRequested || allChanged || isDue() || changedDevices.size() > PolicyTimeouts.MAX_DEVICES;
    List<String> devices = List.copyOf(changedDevices);
    allChanged = false;
    changedDevices.clear();
    return all ? enforceOnAll(input) : enforceOn(devices, input);
  }

  private PolicyReport enforceOnAll(PolicyInput input) {
    boolean run = runRequested;
    runRequested = false;
    PolicyReport found = run ? steps("a run, all devices").run(input) : steps("all devices").enforce(input);
    report = found;
    nextCheck = earlier(nextChange(found), time().plus(PolicyTimeouts.MAX_IDLE));
    Workflow.setCurrentDetails(PolicyCurrentDetails.of(found));
    return found;
  }

  /// Says nothing about when the others are due.
  private PolicyReport enforceOn(List<String> devices, PolicyInput input) {
    PolicyReport found = steps(String.join(", ", devices)).enforceOnDevices(input, devices);
    nextCheck = earlier(nextChange(found), nextCheck);
    return found;
  }

  private static Optional<Instant> nextChange(PolicyReport found) {
    Instant first = time().plus(PolicyTimeouts.MIN_IDLE);
    return found.nextChange().map(at -> at.isBefore(first) ? first : at);
  }

  private static Instant earlier(Optional<Instant> one, Instant other) {
    return one.filter(other::isAfter).orElse(other);
  }

  private boolean isDue() {
    return !time().isBefore(nextCheck);
  }

  private static PolicySteps steps(String summary) {
    String shown = summary.length() > 100 ? summary.substring(0, 100) + "…" : summary;
    return Workflow.newActivityStub(PolicySteps.class, PolicyTimeouts.stepOptions(shown));
  }

  private void awaitChange() {
    Duration left = Duration.between(time(), nextCheck);
    CancellationScope timed =
        Workflow.newCancellationScope(scope -> {
          Promise<Void> timer =
              Workflow.newTimer(
                  left.isPositive() ? left : Duration.ofMillis(1),
                  TimerOptions.newBuilder().setSummary("next look at all devices").build());
          Workflow.await(() -> isChanged() || timer.isCompleted());
          // The timer would stay.
          scope.cancel();
        });
    timed.run();
    if (isChanged()) {
      Workflow.sleep(PolicyTimeouts.COALESCE);
    }
  }

  private boolean isChanged() {
    return runRequested || allChanged || !changedDevices.isEmpty();
  }

  private static Instant time() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis());
  }

  @Override
  public void recheck() {
    allChanged = true;
  }

  @Override
  public void beginRun() {
    runRequested = true;
  }

  @Override
  public void recheckDevices(List<String> devices) {
    changedDevices.addAll(devices);
  }

  @Override
  public Optional<PolicyReport> report() {
    return Optional.ofNullable(report);
  }
}
