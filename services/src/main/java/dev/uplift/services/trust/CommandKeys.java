package dev.uplift.services.trust;

import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.signature.SigningKey;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The private keys that this server may sign commands with, by id. A key that is added to their folder is loaded when
/// a root first names it.
public final class CommandKeys {
  private static final Logger LOG = LoggerFactory.getLogger(CommandKeys.class);
  private static final long RELOAD_INTERVAL = Duration.ofSeconds(1).toNanos();

  private final @Nullable Path folder;
  private Map<String, SigningKey> keys;
  private long lastReload;

  private CommandKeys(@Nullable Path folder, Map<String, SigningKey> keys) {
    this.folder = folder;
    this.keys = keys;
    this.lastReload = System.nanoTime() - RELOAD_INTERVAL;
  }

  /// Reads all `*.pem` of a folder (PKCS#8).
  ///
  /// @throws GeneralSecurityException if one is no private key, or if there is none
  public static CommandKeys readFrom(Path folder) throws IOException, GeneralSecurityException {
    Map<String, SigningKey> keys = read(folder);
    if (keys.isEmpty()) {
      throw new GeneralSecurityException("expected a private key in a file *.pem, found none");
    }
    return new CommandKeys(folder, keys);
  }

  /// Creates a set of fixed keys.
  public static CommandKeys of(SigningKey... all) {
    Map<String, SigningKey> keys = new TreeMap<>();
    List.of(all).forEach(key -> keys.put(key.keyId(), key));
    return new CommandKeys(null, keys);
  }

  private static Map<String, SigningKey> read(Path folder) throws IOException, GeneralSecurityException {
    Map<String, SigningKey> keys = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.pem")) {
      for (Path file : files) {
        SigningKey key = SigningKey.read(file);
        keys.put(key.keyId(), key);
      }
    }
    return keys;
  }

  /// Returns the key to sign with under a root: the last that it names and that is here. Empty if it names none of
  /// these.
  public synchronized Optional<SigningKey> forRoot(TrustRoot trustRoot) {
    List<String> wanted = trustRoot.roleKeys(TrustRoot.Role.COMMAND).keys();
    if (!keys.containsKey(wanted.getLast())) {
      reload();
    }
    return wanted.reversed().stream().filter(keys::containsKey).findFirst().map(keys::get);
  }

  /// Returns a key for a tenant without a root, whose agents decide whether to accept it.
  public synchronized SigningKey any() {
    return keys.values().iterator().next();
  }

  private void reload() {
    long now = System.nanoTime();
    if (folder == null || now - lastReload < RELOAD_INTERVAL) {
      return;
    }
    lastReload = now;
    try {
      Map<String, SigningKey> found = read(folder);
      if (!found.isEmpty() && !found.keySet().equals(keys.keySet())) {
        LOG.info("command keys are now {}", found.keySet());
        keys = found;
      }
    } catch (IOException | GeneralSecurityException e) {
      LOG.warn("command keys cannot be read again: {}", e.toString());
    }
  }
}
