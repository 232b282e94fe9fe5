package dev.uplift.workflows.device;

import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.OfferedUpdates;
import dev.uplift.fleet.RequestedUpgrade;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.workflows.device.DeviceRecords.StartCheck;
import dev.uplift.workflows.device.DeviceRecords.WindowStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Records in memory, of a device that may be upgraded unless a test says otherwise.
final class FakeDeviceRecords implements DeviceRecords {
  private static final String KIND = "bundle";
  private static final long SEQUENCE = 150;

  private final List<UpgradeResult> results = new CopyOnWriteArrayList<>();
  private final List<Optional<PendingWait>> waits = new CopyOnWriteArrayList<>();
  private final Map<HostId, String> versions = new ConcurrentHashMap<>();
  private final Map<String, UpgradeResult> ended = new ConcurrentHashMap<>();
  private volatile List<Open> windows = List.of();
  private volatile Supplier<Instant> clock = Instant::now;
  private volatile Set<String> kinds = Set.of(KIND);
  private volatile Optional<String> held = Optional.empty();
  private volatile List<DeviceFacts.PinFacts> pins = List.of();
  private volatile Optional<String> failedBefore = Optional.empty();
  private volatile Optional<OfferedUpdates> offered = Optional.empty();
  private volatile boolean refusesWaits;
  private final AtomicInteger refusedSignals = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();

  /// Fails the next calls to `begin` and `end`.
  void fail(int times) {
    failures.set(times);
  }

  private void failIfTold() {
    if (failures.getAndUpdate(left -> Math.max(left - 1, 0)) > 0) {
      throw new IllegalStateException("the database is unavailable");
    }
  }

  void endedBefore(String upgrade, UpgradeResult result) {
    ended.put(upgrade, result);
  }

  void hold(String why) {
    held = Optional.of(why);
  }

  /// Pins the package to a version from now on.
  void pin(String version) {
    pins = List.of(new DeviceFacts.PinFacts(Optional.of(version), "ann pins it to " + version, true));
  }

  void failedBefore(String how) {
    failedBefore = Optional.of(how);
  }

  /// The repositories of every host offer an update.
  void offerUpdate() {
    offered = Optional.of(new OfferedUpdates(1, 0, Instant.EPOCH, OfferedUpdates.State.NEW));
  }

  /// Refuses the next signals to proceed.
  void refuseSignals(int number) {
    refusedSignals.set(number);
  }

  @Override
  public boolean admitProceed(UpgradePlan plan) {
    return refusedSignals.getAndUpdate(left -> Math.max(left - 1, 0)) == 0;
  }

  void runs(String host, String version) {
    versions.put(new HostId(host), version);
  }

  void agentsCarryOutOnly(String kind) {
    kinds = Set.of(kind);
  }

  /// Returns all recorded results.
  List<UpgradeResult> results() {
    return results;
  }

  @Override
  public StartCheck begin(UpgradePlan plan) {
    failIfTold();
    List<DeviceFacts.HostFacts> hosts = plan.hosts().stream().map(this::found).toList();
    return new StartCheck(
        Optional.ofNullable(ended.get(plan.upgrade())),
        new DeviceFacts(hosts, KIND, SEQUENCE, Set.of(), held, failedBefore, Optional.empty(), pins));
  }

  /// The sequence of a release is its version without the dots.
  private DeviceFacts.HostFacts found(HostId host) {
    String version = versions.getOrDefault(host, "1.4.0");
    long sequence = Long.parseLong(version.replace(".", ""));
    return new DeviceFacts.HostFacts(host, version, false, Optional.of(sequence), Optional.of(kinds))
        .withOffer(offered);
  }

  /// Sets the clock of the windows.
  void useClock(Supplier<Instant> clock) {
    this.clock = clock;
  }

  /// Restricts changes of the device to this window; the last call counts.
  void openWindow(Instant from, Instant until) {
    windows = List.of(new Open(from, until));
  }

  void addWindow(Instant from, Instant until) {
    windows = Stream.concat(windows.stream(), Stream.of(new Open(from, until))).toList();
  }

  private record Open(Instant from, Instant until) {
    boolean hasLeft(Instant now, Duration need) {
      return now.isBefore(until) && !later(now, from).plus(need).isAfter(until);
    }

    private static Instant later(Instant one, Instant other) {
      return one.isAfter(other) ? one : other;
    }
  }

  @Override
  public WindowStatus checkWindow(
      DeviceId device, String besides, Duration need, Instant before, Optional<RequestedUpgrade> waiting) {
    WindowStatus status = readWindow(need, before);
    return status.open()
        ? status.withRefusal(waiting.flatMap(upgrade -> UpgradeCheck.pinRefusal(upgrade, pins)))
        : status;
  }

  private WindowStatus readWindow(Duration need, Instant before) {
    Instant now = clock.get();
    if (windows.isEmpty()) {
      return new WindowStatus(true, Optional.empty(), Optional.empty(), "always open");
    }
    Optional<Open> next =
        windows.stream().filter(open -> open.hasLeft(now, need) && open.from().isBefore(before)).findFirst();
    boolean open = next.filter(first -> !now.isBefore(first.from())).isPresent();
    return new WindowStatus(
        open,
        next.filter(_ -> !open).map(Open::from),
        next.filter(_ -> open).map(Open::until),
        next.map(first -> "its window at " + first.from()).orElse("a window"));
  }

  @Override
  public void recordWait(DeviceId device, String upgrade, Optional<PendingWait> wait, Instant at) {
    if (refusesWaits) {
      throw new IllegalStateException("the database is unavailable");
    }
    waits.add(wait);
  }

  /// Fails each call to `recordWait`.
  void refuseWaits() {
    refusesWaits = true;
  }

  /// Returns all recorded waits; an empty one where none was left.
  List<Optional<PendingWait>> waits() {
    return waits;
  }

  @Override
  public UpgradeResult end(UpgradePlan plan, UpgradeResult result) {
    failIfTold();
    results.add(result);
    UpgradeResult first = ended.putIfAbsent(plan.upgrade(), result);
    return first != null ? first : result;
  }
}
