package dev.uplift.agent.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.TrustRoot.RoleKeys;
import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.signature.TrustedKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// A root of the tenant `acme`, signed by the given keys.
record SignedTestRoot(TrustRoot root, String signature) {

  /// One root key; the keys of the other roles are new ones.
  static SignedTestRoot of(long version, SigningKey owner, SigningKey... signers) {
    SigningKey release = SigningKey.generate();
    SigningKey command = SigningKey.generate();
    var keys = new TreeMap<String, TrustedKey>();
    List.of(owner, release, command).forEach(key -> keys.put(key.keyId(), key.trustedKey()));
    var root =
        new TrustRoot(
            "acme",
            version,
            Instant.parse("2999-01-01T00:00:00Z"),
            keys,
            Map.of(Role.ROOT, only(owner), Role.RELEASE, only(release), Role.COMMAND, only(command)));
    var lines = new StringBuilder();
    for (SigningKey each : signers) {
      lines.append(each.sign(SignatureDomain.ROOT, root.write())).append('\n');
    }
    return new SignedTestRoot(root, lines.toString());
  }

  private static RoleKeys only(SigningKey key) {
    return new RoleKeys(1, List.of(key.keyId()));
  }

  SignedTrustRoot signed() {
    return new SignedTrustRoot(text(), signature);
  }

  String text() {
    return new String(root.write(), UTF_8);
  }

  /// As the server hands it over.
  SortedMap<String, String> files() {
    return new TreeMap<>(Map.of(EnrolmentResponse.ROOT_FILE, text(), EnrolmentResponse.ROOT_SIGNATURE_FILE, signature));
  }
}
