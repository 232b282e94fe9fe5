package dev.uplift.agent.ops;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.MalformedMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// `ops/<command id>.json` and `counters.json` in the agent's state folder.
final class KeepInFolder implements Keep {
  private static final System.Logger LOG = System.getLogger(Ops.class.getName());
  private static final String SUFFIX = ".json";

  private final FileOps files;
  private final Path ops;
  private final Path counters;

  KeepInFolder(FileOps files, Path state) throws IOException {
    this.files = files;
    this.ops = state.resolve("ops");
    this.counters = state.resolve("counters.json");
    files.createFolders(ops);
  }

  @Override
  public List<Op> ops() throws IOException {
    List<Op> found = new ArrayList<>();
    try (Stream<Path> all = Files.list(ops)) {
      for (Path file : all.filter(each -> each.toString().endsWith(SUFFIX)).toList()) {
        try {
          found.add(Op.read(Files.readAllBytes(file)));
        } catch (MalformedMessage e) {
          // Of no use to anybody. What it was about is found again on the host.
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
  public void save(Op op) throws IOException {
    files.write(ops.resolve(op.id() + SUFFIX), op.write());
  }

  @Override
  public void save(Counters changed) throws IOException {
    files.write(counters, changed.write());
  }

  @Override
  public void drop(String id) throws IOException {
    files.delete(ops.resolve(id + SUFFIX));
  }
}
