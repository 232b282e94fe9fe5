package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.TrustRoot.RoleKeys;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.signature.TrustedKey;
import dev.uplift.temporaldev.stack.Stack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// The keys of a tenant, rotated while its hosts work.
final class TenantKeys {
  private final TestRestClient rest;
  private final Path roots;
  private final Map<Role, List<SigningKey>> keys = new EnumMap<>(Role.class);
  private final Map<Role, Integer> thresholds = new EnumMap<>(Role.class);
  private long version = 1;

  TenantKeys(Stack stack, TestRestClient rest, String tenant) {
    this.rest = rest;
    this.roots = stack.secrets().rootFolder(tenant);
    keys.put(Role.ROOT, List.of(read(stack.secrets().rootKeyFile())));
    keys.put(Role.RELEASE, List.of(read(stack.secrets().releaseKeyFile())));
    keys.put(Role.COMMAND, List.of(read(stack.secrets().commandKeyFile())));
  }

  private static SigningKey read(Path file) {
    try {
      return SigningKey.read(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  SigningKey newest(Role role) {
    return of(role).getLast();
  }

  private List<SigningKey> of(Role role) {
    return keys.getOrDefault(role, List.of());
  }

  /// Adds a key to each role. The server is given the command key.
  void addKeyToEachRole(Path commandKey) {
    SigningKey owner = newest(Role.ROOT);
    for (Role role : Role.values()) {
      List<SigningKey> more = new ArrayList<>(of(role));
      more.add(SigningKey.generate());
      keys.put(role, more);
    }
    write(commandKey, newest(Role.COMMAND).toPem());
    publish(owner);
  }

  /// Adds a release key, and requires both signatures from now on.
  void requireTwoReleaseKeys() {
    keys.put(Role.RELEASE, List.of(newest(Role.RELEASE), SigningKey.generate()));
    thresholds.put(Role.RELEASE, 2);
    publish(newest(Role.ROOT));
  }

  /// Removes all but the newest key of each role.
  void keepOnlyNewest() {
    for (Role role : Role.values()) {
      keys.put(role, List.of(newest(role)));
    }
    publish(newest(Role.ROOT));
  }

  private void publish(SigningKey signer) {
    version++;
    var all = new TreeMap<String, TrustedKey>();
    var holders = new EnumMap<Role, RoleKeys>(Role.class);
    keys.forEach((role, held) -> {
      held.forEach(key -> all.put(key.keyId(), key.trustedKey()));
      holders.put(role, new RoleKeys(thresholds.getOrDefault(role, 1), held.stream().map(SigningKey::keyId).toList()));
    });
    TrustRoot trustRoot = new TrustRoot("acme", version, Instant.parse("2999-01-01T00:00:00Z"), all, holders);
    write(roots.resolve(version + ".root.json"), new String(trustRoot.write(), UTF_8));
    write(roots.resolve(version + ".root.sig"), signer.sign(SignatureDomain.ROOT, trustRoot.write()) + "\n");
    rest.publishRoots();
  }

  /// Signs a published release with all current release keys.
  void resignRelease(String packageName, String release) {
    JsonNode found = rest.get("releases/" + packageName + "/" + release).expectStatus(200).body();
    String text = found.path("release").asString();
    StringBuilder lines = new StringBuilder();
    of(Role.RELEASE).forEach(key -> lines.append(key.sign(SignatureDomain.RELEASE, text.getBytes(UTF_8))).append('\n'));
    rest.publish(text, lines.toString()).expectStatus(200);
  }

  long version() {
    return version;
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
