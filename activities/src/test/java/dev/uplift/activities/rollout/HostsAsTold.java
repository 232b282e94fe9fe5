package dev.uplift.activities.rollout;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.workflows.device.Answer;
import dev.uplift.workflows.device.HostSteps;
import dev.uplift.workflows.device.Order;
import dev.uplift.workflows.device.Sight;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// Hosts that do at once what they are ordered, but for those that are told to fail, and as long as
/// nobody holds them up.
final class HostsAsTold implements HostSteps {
  private static final String BEFORE = "1.4.0";

  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final Set<String> shaky = ConcurrentHashMap.newKeySet();
  private final List<String> prepared = new CopyOnWriteArrayList<>();
  private final Set<String> keeping = ConcurrentHashMap.newKeySet();
  private final Map<HostId, String> versions = new ConcurrentHashMap<>();
  private final List<String> rolledBack = new CopyOnWriteArrayList<>();
  private final List<Moment> moments = new CopyOnWriteArrayList<>();
  private final List<String> upgraded = new CopyOnWriteArrayList<>();
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private volatile CountDownLatch gateBack = new CountDownLatch(0);

  /// A device begins to work for an upgrade, or has done the last of it.
  private record Moment(String device, String upgrade, boolean begins) {}

  /// Upgrades of these devices fail from now on, before a host is touched.
  void fail(String... devices) {
    failing.addAll(List.of(devices));
  }

  /// Those fail once, in a way that may pass.
  void failOnce(String... devices) {
    shaky.addAll(List.of(devices));
  }

  void repair() {
    failing.clear();
    shaky.clear();
    keeping.clear();
  }

  /// Those have no version any more to go back to.
  void keep(String... devices) {
    keeping.addAll(List.of(devices));
  }

  /// Every host that is to prepare from now on waits.
  void holdUp() {
    gate = new CountDownLatch(1);
  }

  void goOn() {
    gate.countDown();
    gateBack.countDown();
  }

  /// Every host that is to go back from now on waits.
  void holdUpBack() {
    gateBack = new CountDownLatch(1);
  }

  /// How many upgrades of devices that `which` is true of were at work at the same time, at most.
  long mostAtOnce(Predicate<String> which) {
    Set<String> now = new HashSet<>();
    long most = 0;
    for (Moment moment : moments) {
      if (moment.begins() && which.test(moment.device())) {
        now.add(moment.upgrade());
      } else {
        now.remove(moment.upgrade());
      }
      most = Math.max(most, now.size());
    }
    return most;
  }

  private void begins(Order order) {
    moments.add(new Moment(order.device().name(), order.upgrade(), true));
  }

  private Answer ends(Order order, Answer answer) {
    moments.add(new Moment(order.device().name(), order.upgrade(), false));
    return answer;
  }

  /// Ids of the upgrades that were told to prepare, in that order.
  List<String> prepared() {
    return List.copyOf(prepared);
  }

  /// Ids of the upgrades that were told to roll back, in that order.
  List<String> rolledBack() {
    return List.copyOf(rolledBack);
  }

  /// Ids of the upgrades that were told to upgrade, in that order.
  List<String> upgraded() {
    return List.copyOf(upgraded);
  }

  private static void pass(CountDownLatch gate) {
    try {
      if (!gate.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("held up for too long");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Answer prepare(Order order) {
    prepared.add(order.upgrade());
    begins(order);
    pass(gate);
    if (shaky.contains(order.device().name()) && order.upgrade().endsWith(".1")) {
      return ends(order, new Answer.Failed("no-network", ErrorClass.DECLINED, "try me later"));
    }
    return failing.contains(order.device().name())
        ? ends(order, new Answer.Failed("disk-full", ErrorClass.FINAL, "/var: 12 MB left"))
        : runs(version(order));
  }

  @Override
  public Answer upgrade(Order order) {
    versions.put(order.host(), order.wanted());
    upgraded.add(order.upgrade());
    return runs(order.wanted());
  }

  @Override
  public Answer reboot(Order order) {
    return runs(order.wanted());
  }

  @Override
  public Answer awaitStandby(Order order) {
    return runs(order.wanted());
  }

  @Override
  public Answer stop(Order order) {
    return runs(order.wanted());
  }

  @Override
  public Answer awaitHeartbeat(Order order) {
    return ends(order, runs(order.wanted()));
  }

  @Override
  public Answer commit(Order order) {
    return runs(order.wanted());
  }

  @Override
  public Answer rollback(Order order) {
    if (keeping.contains(order.device().name())) {
      return new Answer.Failed("version-gone", ErrorClass.DECLINED, "1.4.0 is not here any more");
    }
    rolledBack.add(order.upgrade());
    begins(order);
    pass(gateBack);
    versions.put(order.host(), order.wanted());
    return runs(order.wanted());
  }

  @Override
  public Answer inspect(Order order) {
    return runs(version(order));
  }

  private String version(Order order) {
    return versions.getOrDefault(order.host(), BEFORE);
  }

  @Override
  public Sight look(Order order) {
    Instant now = Instant.now();
    return new Sight(
        Optional.empty(), Optional.empty(), false, now, now.minus(Duration.ofHours(1)));
  }

  @Override
  public void cancel(Order order, Order inWork) {
    goOn();
  }

  private static Answer runs(String version) {
    return new Answer.Done(new HostState(version, "", "boot-1", false));
  }
}
