package dev.uplift.agent.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Root;
import dev.uplift.protocol.SignedRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Whose word counts on this host: the newest root of its tenant that has reached it. Two
/// authorities have to agree: that a release exists, and that this host may have it now.
public final class Trust {
  private static final String FILE = "root.json";

  private final FileOps files;
  private final @Nullable Path kept;
  private volatile Root root;

  private Trust(FileOps files, @Nullable Path kept, Root root) {
    this.files = files;
    this.kept = kept;
    this.root = root;
  }

  /// The one that was installed with the host, `root.json` of a folder. It counts because it is
  /// there: whoever may write it may do everything.
  ///
  /// @throws MalformedMessage where it is none, or one of another tenant
  public static Root installed(Path folder, String tenant) throws IOException {
    return read(folder.resolve(FILE), tenant);
  }

  /// Goes by the installed root or by the one that was last taken and is kept in the folder of the
  /// agent's state, whichever has the higher version.
  ///
  /// @throws MalformedMessage where one of them is none, or one of another tenant
  public static Trust open(FileOps files, Path installed, Path state, String tenant)
      throws IOException {
    Path kept = state.resolve(FILE);
    Root first = installed(installed, tenant);
    Optional<Root> taken = Files.exists(kept) ? Optional.of(read(kept, tenant)) : Optional.empty();
    return new Trust(
        files, kept, taken.filter(it -> it.version() >= first.version()).orElse(first));
  }

  /// That forgets what it has taken when the process ends.
  public static Trust inMemory(Root first) {
    return new Trust(FileOps.onDisk(), null, first);
  }

  private static Root read(Path file, String tenant) throws IOException {
    try {
      Root root = Root.read(Files.readAllBytes(file));
      if (!root.tenant().equals(tenant)) {
        throw new MalformedMessage("tenant: expected " + tenant + ", found " + root.tenant());
      }
      return root;
    } catch (MalformedMessage e) {
      throw new MalformedMessage(file + ": " + e.getMessage());
    }
  }

  public Root root() {
    return root;
  }

  /// Goes by the next one, if it is the proper successor. It is on the disk before it counts, and
  /// what it was before never counts again.
  synchronized SignedRoot.Judgement take(SignedRoot next) throws IOException {
    SignedRoot.Judgement judgement = next.after(root);
    if (judgement instanceof SignedRoot.Judgement.Good(Root good)) {
      if (kept != null) {
        files.write(kept, next.root().getBytes(UTF_8));
      }
      root = good;
    }
    return judgement;
  }
}
