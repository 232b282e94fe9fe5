package dev.uplift.agent.trust;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.json.MalformedMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Holds the newest trust root of the tenant that has reached this host. Two authorities have to agree: release keys
/// that a release exists, command keys that this host may install it now.
public final class TrustStore {
  private static final String FILE = "root.json";

  private final FileOps files;
  private final @Nullable Path storedFile;
  private volatile TrustRoot root;

  private TrustStore(FileOps files, @Nullable Path storedFile, TrustRoot root) {
    this.files = files;
    this.storedFile = storedFile;
    this.root = root;
  }

  /// Reads the root that was installed with the host, `root.json` of a folder. It counts because it is there: write
  /// access to it is full control.
  ///
  /// @throws MalformedMessage if it is no root, or one of another tenant
  public static TrustRoot readInstalled(Path folder, String tenant) throws IOException {
    return read(folder.resolve(FILE), tenant);
  }

  /// Goes by the installed root or by the one that was last taken and is kept in the folder of the agent's state,
  /// whichever has the higher version.
  ///
  /// @throws MalformedMessage where one of them is none, or one of another tenant
  public static TrustStore open(FileOps files, Path installed, Path state, String tenant) throws IOException {
    Path kept = state.resolve(FILE);
    TrustRoot first = readInstalled(installed, tenant);
    Optional<TrustRoot> taken = Files.exists(kept) ? Optional.of(read(kept, tenant)) : Optional.empty();
    return new TrustStore(files, kept, taken.filter(it -> it.version() >= first.version()).orElse(first));
  }

  /// Returns one that forgets everything when the process ends.
  public static TrustStore inMemory(TrustRoot first) {
    return new TrustStore(FileOps.onDisk(), null, first);
  }

  private static TrustRoot read(Path file, String tenant) throws IOException {
    try {
      TrustRoot trustRoot = TrustRoot.read(Files.readAllBytes(file));
      if (!trustRoot.tenant().equals(tenant)) {
        throw new MalformedMessage("tenant: expected " + tenant + ", found " + trustRoot.tenant());
      }
      return trustRoot;
    } catch (MalformedMessage e) {
      throw new MalformedMessage(file + ": " + e.getMessage());
    }
  }

  public TrustRoot root() {
    return root;
  }

  /// Goes by the next one, if it is the proper successor. It is on the disk before it counts, and what it was before
  /// never counts again.
  synchronized SignedTrustRoot.Verification accept(SignedTrustRoot next) throws IOException {
    SignedTrustRoot.Verification verification = next.verifyAsSuccessorOf(root);
    if (verification instanceof SignedTrustRoot.Verification.Valid(TrustRoot good)) {
      if (storedFile != null) {
        files.write(storedFile, next.root().getBytes(UTF_8));
      }
      root = good;
    }
    return verification;
  }
}
