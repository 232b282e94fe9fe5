package dev.uplift.api.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.Root;
import dev.uplift.protocol.Root.Holders;
import dev.uplift.protocol.Root.Role;
import dev.uplift.protocol.SigningKey;
import dev.uplift.protocol.TrustedKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/// A root that is to be published: one key per role.
public record RootDraft(
    String tenant,
    long version,
    Instant expiresAt,
    SigningKey root,
    SigningKey release,
    SigningKey command) {
  public RootDraft(String tenant, SigningKey root, SigningKey release, SigningKey command) {
    this(tenant, 1, Instant.parse("2999-01-01T00:00:00Z"), root, release, command);
  }

  /// The version after, with these keys.
  public RootDraft next(SigningKey nextRoot, SigningKey nextRelease, SigningKey nextCommand) {
    return new RootDraft(tenant, version + 1, expiresAt, nextRoot, nextRelease, nextCommand);
  }

  /// The version after, with the same keys.
  public RootDraft next() {
    return next(root, release, command);
  }

  public RootDraft at(long other) {
    return new RootDraft(tenant, other, expiresAt, root, release, command);
  }

  public RootDraft expiring(Instant at) {
    return new RootDraft(tenant, version, at, root, release, command);
  }

  public byte[] text() {
    var keys = new TreeMap<String, TrustedKey>();
    List.of(root, release, command).forEach(key -> keys.put(key.keyId(), key.trusted()));
    return new Root(
            tenant,
            version,
            expiresAt,
            keys,
            Map.of(Role.ROOT, only(root), Role.RELEASE, only(release), Role.COMMAND, only(command)))
        .write();
  }

  private static Holders only(SigningKey key) {
    return new Holders(1, List.of(key.keyId()));
  }

  /// The body that publishes it, signed by these.
  public String body(SigningKey... by) {
    return JsonMapper.shared()
        .createObjectNode()
        .put("root", new String(text(), UTF_8))
        .put(
            "signature",
            Arrays.stream(by)
                .map(key -> key.sign(Purpose.ROOT, text()) + "\n")
                .collect(Collectors.joining()))
        .toString();
  }
}
