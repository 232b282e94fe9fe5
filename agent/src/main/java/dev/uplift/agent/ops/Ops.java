package dev.uplift.agent.ops;

import dev.uplift.agent.files.FileOps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The memory of the last commands. What a method has changed is forced to the disk when it
/// returns; where it throws, nothing has changed. Safe for use by several threads.
public final class Ops {
  /// How many commands are remembered.
  static final int KEPT = 64;

  private final Keep keep;
  private final Map<String, Op> ops = new HashMap<>();
  private Counters counters;
  private long order;

  private Ops(Keep keep) throws IOException {
    this.keep = keep;
    this.counters = keep.counters();
    for (Op op : keep.ops()) {
      ops.put(op.id(), op);
      order = Math.max(order, op.order());
    }
  }

  /// Throws where the folder cannot be read or its counters are damaged.
  public static Ops inFolder(FileOps files, Path state) throws IOException {
    return new Ops(new KeepInFolder(files, state));
  }

  /// For hosts that are only played: all is forgotten with the process.
  public static Ops inMemory() {
    try {
      return new Ops(Keep.NOWHERE);
    } catch (IOException e) {
      throw new IllegalStateException("nothing to read", e);
    }
  }

  public synchronized Optional<Op> find(String id) {
    return Optional.ofNullable(ops.get(id));
  }

  /// The oldest first.
  public synchronized List<Op> all() {
    return ops.values().stream().sorted(Comparator.comparingLong(Op::order)).toList();
  }

  /// Work on a command begins, or goes on: nothing happens if it is known.
  ///
  /// @param command its exact text
  public synchronized void begin(String id, String command, long epoch) throws IOException {
    see(epoch);
    if (!ops.containsKey(id)) {
      put(new Op(id, order + 1, command, "", "", false));
    }
  }

  /// The host is about to be rebooted for a command that is begun.
  public synchronized void reboot(String id, String bootId) throws IOException {
    Op op = ops.get(id);
    if (op == null) {
      throw new IllegalStateException("not begun: " + id);
    }
    put(op.rebootingFrom(bootId));
  }

  /// The answer to a command, begun or not. The first one stays. Where this throws, the answer is
  /// known until the process ends.
  public synchronized void answer(String id, String outcome) throws IOException {
    Op op = ops.getOrDefault(id, new Op(id, order + 1, "", "", "", false));
    if (!op.isAnswered()) {
      ops.put(id, op.answered(outcome));
      put(op.answered(outcome));
    }
  }

  /// The server has the answer.
  public synchronized void sent(String id) throws IOException {
    Op op = ops.get(id);
    if (op != null && !op.sent()) {
      put(op.isSent());
    }
  }

  public synchronized long highestEpoch() {
    return counters.epoch();
  }

  /// From now on no lower one counts.
  public synchronized void see(long epoch) throws IOException {
    put(counters.atEpoch(epoch));
  }

  /// The sequence of the release that the package was last brought to; 0 where there was none.
  public synchronized long sequence(String packageName) {
    return counters.sequence(packageName);
  }

  /// The version of the package that the last upgrade set out from; empty where that is not known.
  public synchronized String from(String packageName) {
    return counters.from(packageName);
  }

  /// An upgrade of the package sets out from this version; empty: nobody knows which.
  public synchronized void leaves(String packageName, String version) throws IOException {
    put(counters.leaving(packageName, version));
  }

  public synchronized void brought(String packageName, long sequence) throws IOException {
    put(counters.brought(packageName, sequence));
  }

  /// The release was taken back: what it was before counts again.
  public synchronized void takenBack(String packageName, long sequence) throws IOException {
    put(counters.takenBack(packageName, sequence));
  }

  private void put(Counters changed) throws IOException {
    if (!changed.equals(counters)) {
      keep.save(changed);
      counters = changed;
    }
  }

  private void put(Op op) throws IOException {
    keep.save(op);
    ops.put(op.id(), op);
    order = Math.max(order, op.order());
    forgetOldest();
  }

  private void forgetOldest() throws IOException {
    if (ops.size() <= KEPT) {
      return;
    }
    // What is answered first: what is not may still go on.
    List<Op> oldest =
        ops.values().stream()
            .sorted(Comparator.comparing((Op op) -> !op.isAnswered()).thenComparingLong(Op::order))
            .limit(ops.size() - KEPT)
            .toList();
    for (Op op : oldest) {
      keep.drop(op.id());
      ops.remove(op.id());
    }
  }
}
