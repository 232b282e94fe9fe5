package dev.uplift.temporaldev;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.Root;
import dev.uplift.protocol.Root.Holders;
import dev.uplift.protocol.Root.Role;
import dev.uplift.protocol.SigningKey;
import dev.uplift.protocol.TrustedKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The first root of a tenant: `1.root.json` and `1.root.sig` in a folder, as `uplift keys root`
/// makes them too.
record RootFiles(Path folder, String tenant) {
  /// A stack lasts as long as its folder, and nobody is to be reminded of it.
  private static final Duration LASTS = Duration.ofDays(3650);

  /// Makes both where there is none.
  RootFiles made(SigningKey root, SigningKey release, SigningKey command) {
    if (!Files.exists(text())) {
      byte[] bytes = first(root, release, command).write();
      PrivateFile.write(folder.resolve("1.root.sig"), root.sign(Purpose.ROOT, bytes) + "\n");
      PrivateFile.write(text(), new String(bytes, UTF_8));
    }
    return this;
  }

  Path text() {
    return folder.resolve("1.root.json");
  }

  private Root first(SigningKey root, SigningKey release, SigningKey command) {
    var keys = new TreeMap<String, TrustedKey>();
    List.of(root, release, command).forEach(key -> keys.put(key.keyId(), key.trusted()));
    return new Root(
        tenant,
        1,
        Instant.now().plus(LASTS).truncatedTo(ChronoUnit.SECONDS),
        keys,
        Map.of(Role.ROOT, only(root), Role.RELEASE, only(release), Role.COMMAND, only(command)));
  }

  private static Holders only(SigningKey key) {
    return new Holders(1, List.of(key.keyId()));
  }
}
