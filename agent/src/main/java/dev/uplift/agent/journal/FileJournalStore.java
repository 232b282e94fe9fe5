package dev.uplift.agent.journal;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.json.MalformedMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// `commands/<command id>.json` and `counters.json` in the agent's state folder.
final class FileJournalStore implements JournalStore {
  private static final System.Logger LOG = System.getLogger(CommandJournal.class.getName());
  private static final String SUFFIX = ".json";

  private final FileOps files;
  private final Path commands;
  private final Path counters;

  FileJournalStore(FileOps files, Path state) throws IOException {
    this.files = files;
    this.commands = state.resolve("commands");
    this.counters = state.resolve("counters.json");
    files.createFolders(commands);
  }

  @Override
  public List<CommandRecord> records() throws IOException {
    List<CommandRecord> found = new ArrayList<>();
    try (Stream<Path> all = Files.list(commands)) {
      for (Path file : all.filter(each -> each.toString().endsWith(SUFFIX)).toList()) {
        try {
          found.add(CommandRecord.read(Files.readAllBytes(file)));
        } catch (MalformedMessage e) {
          // Unusable. Its subject is found again on the host.
          LOG.log(WARNING, "forgets {0}: {1}", file, e.getMessage());
          files.delete(file);
        }
      }
    }
    return found;
  }

  /// A damaged file is an error: without the counters, old orders could come back.
  @Override
  public Counters counters() throws IOException {
    if (!Files.exists(counters)) {
      return Counters.NONE;
    }
    try {
      return Counters.read(Files.readAllBytes(counters));
    } catch (MalformedMessage e) {
      throw new IOException(counters + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void save(CommandRecord commandRecord) throws IOException {
    files.write(commands.resolve(commandRecord.id() + SUFFIX), commandRecord.write());
  }

  @Override
  public void save(Counters changed) throws IOException {
    files.write(counters, changed.write());
  }

  @Override
  public void delete(String id) throws IOException {
    files.delete(commands.resolve(id + SUFFIX));
  }
}
