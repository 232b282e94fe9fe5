package dev.uplift.agent.journal;

import dev.uplift.agent.files.FileOps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The memory of the last commands. What a method has changed is forced to the disk when it returns; where it throws,
/// nothing has changed. Safe for use by several threads.
public final class CommandJournal {
  /// Number of commands that are remembered.
  static final int MAX_RECORDS = 64;

  private final JournalStore store;
  private final Map<String, CommandRecord> records = new HashMap<>();
  private Counters counters;
  private long lastNumber;

  private CommandJournal(JournalStore store) throws IOException {
    this.store = store;
    this.counters = store.counters();
    for (CommandRecord commandRecord : store.records()) {
      records.put(commandRecord.id(), commandRecord);
      lastNumber = Math.max(lastNumber, commandRecord.number());
    }
  }

  /// Throws where the folder cannot be read or its counters are damaged.
  public static CommandJournal inFolder(FileOps files, Path state) throws IOException {
    return new CommandJournal(new FileJournalStore(files, state));
  }

  /// For hosts that are only played: all is forgotten with the process.
  public static CommandJournal inMemory() {
    try {
      return new CommandJournal(JournalStore.IN_MEMORY);
    } catch (IOException e) {
      throw new IllegalStateException("nothing to read", e);
    }
  }

  public synchronized Optional<CommandRecord> find(String id) {
    return Optional.ofNullable(records.get(id));
  }

  /// The oldest first.
  public synchronized List<CommandRecord> all() {
    return records.values().stream().sorted(Comparator.comparingLong(CommandRecord::number)).toList();
  }

  /// Records that work on a command begins. Does nothing if it is known.
  ///
  /// @param command its exact text
  public synchronized void begin(String id, String command) throws IOException {
    if (!records.containsKey(id)) {
      put(new CommandRecord(id, lastNumber + 1, command, "", "", false));
    }
  }

  /// The host is about to be rebooted for a command that is begun.
  public synchronized void recordReboot(String id, String bootId) throws IOException {
    CommandRecord commandRecord = records.get(id);
    if (commandRecord == null) {
      throw new IllegalStateException("not begun: " + id);
    }
    put(commandRecord.withRebootFrom(bootId));
  }

  /// The answer to a command, begun or not. The first one stays. Where this throws, the answer is known until the
  /// process ends.
  public synchronized void recordOutcome(String id, String outcome) throws IOException {
    CommandRecord commandRecord = records.getOrDefault(id, new CommandRecord(id, lastNumber + 1, "", "", "", false));
    if (!commandRecord.isAnswered()) {
      records.put(id, commandRecord.withOutcome(outcome));
      put(commandRecord.withOutcome(outcome));
    }
  }

  /// The server has the answer.
  public synchronized void markSent(String id) throws IOException {
    CommandRecord commandRecord = records.get(id);
    if (commandRecord != null && !commandRecord.sent()) {
      put(commandRecord.withSent());
    }
  }

  /// The highest epoch of the commands that these keys have signed; 0 if there was none.
  public synchronized long highestEpoch(Set<String> keyIds) {
    return counters.highestEpoch(keyIds);
  }

  /// From now on no lower one counts, as long as the key is trusted.
  ///
  /// @param keyId of the command key that signed it
  public synchronized void recordEpoch(String keyId, long epoch) throws IOException {
    put(counters.withEpoch(keyId, epoch));
  }

  /// The sequence of the release that the package was last brought to; 0 where there was none.
  public synchronized long sequence(String packageName) {
    return counters.sequence(packageName);
  }

  /// The version of the package that the last upgrade set out from; empty where that is not known.
  public synchronized String upgradedFrom(String packageName) {
    return counters.upgradedFrom(packageName);
  }

  /// The version of the package that was last measured before a change; empty if none was.
  public synchronized String knownVersion(String packageName) {
    return counters.knownVersion(packageName);
  }

  /// The package was measured at this version.
  public synchronized void recordKnownVersion(String packageName, String version) throws IOException {
    put(counters.withKnownVersion(packageName, version));
  }

  /// An upgrade of the package sets out from this version; empty: unknown.
  public synchronized void recordUpgradeFrom(String packageName, String version) throws IOException {
    put(counters.withUpgradeFrom(packageName, version));
  }

  public synchronized void recordInstalled(String packageName, long sequence) throws IOException {
    put(counters.withInstalled(packageName, sequence));
  }

  /// The release was rolled back: the sequence before counts again.
  public synchronized void recordRolledBack(String packageName, long sequence) throws IOException {
    put(counters.withRolledBack(packageName, sequence));
  }

  private void put(Counters changed) throws IOException {
    if (!changed.equals(counters)) {
      store.save(changed);
      counters = changed;
    }
  }

  private void put(CommandRecord commandRecord) throws IOException {
    store.save(commandRecord);
    records.put(commandRecord.id(), commandRecord);
    lastNumber = Math.max(lastNumber, commandRecord.number());
    forgetOldest();
  }

  private void forgetOldest() throws IOException {
    if (records.size() <= MAX_RECORDS) {
      return;
    }
    // Answered commands first: others may still continue.
    List<CommandRecord> oldest =
        records.values().stream()
            .sorted(
                Comparator.comparing((CommandRecord commandRecord) -> !commandRecord.isAnswered())
                    .thenComparingLong(CommandRecord::number))
            .limit(records.size() - MAX_RECORDS)
            .toList();
    for (CommandRecord commandRecord : oldest) {
      store.delete(commandRecord.id());
      records.remove(commandRecord.id());
    }
  }
}
