package dev.uplift.temporaldev.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.keys.PrivateFile;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.TrustRoot.RoleKeys;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.signature.TrustedKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The first root of a tenant: `1.root.json` and `1.root.sig` in a folder, as written by `uplift
/// keys root`.
record InitialRoot(Path folder, String tenant) {
  /// Longer than any local stack exists.
  private static final Duration VALIDITY = Duration.ofDays(3650);

  /// Writes both files unless they exist.
  InitialRoot createIfMissing(SigningKey root, SigningKey release, SigningKey command) {
    if (!Files.exists(rootFile())) {
      byte[] bytes = createRoot(root, release, command).write();
      PrivateFile.write(
          folder.resolve("1.root.sig"), root.sign(SignatureDomain.ROOT, bytes) + "\n");
      PrivateFile.write(rootFile(), new String(bytes, UTF_8));
    }
    return this;
  }

  Path rootFile() {
    return folder.resolve("1.root.json");
  }

  private TrustRoot createRoot(SigningKey root, SigningKey release, SigningKey command) {
    var keys = new TreeMap<String, TrustedKey>();
    List.of(root, release, command).forEach(key -> keys.put(key.keyId(), key.trustedKey()));
    return new TrustRoot(
        tenant,
        1,
        Instant.now().plus(VALIDITY).truncatedTo(ChronoUnit.SECONDS),
        keys,
        Map.of(
            Role.ROOT,
            singleKey(root),
            Role.RELEASE,
            singleKey(release),
            Role.COMMAND,
            singleKey(command)));
  }

  private static RoleKeys singleKey(SigningKey key) {
    return new RoleKeys(1, List.of(key.keyId()));
  }
}
