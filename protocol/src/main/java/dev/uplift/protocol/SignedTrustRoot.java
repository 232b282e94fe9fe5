package dev.uplift.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.TrustedKeys;

/// A root with its signatures, as it travels.
///
/// @param root the exact text of `root.json`
/// @param signature the exact text of `root.sig`
public record SignedTrustRoot(String root, String signature) {
  public static final int MAX_BYTES = 24 * 1024;

  public SignedTrustRoot {
    FieldLimits.requireMaxChars("root", root, TrustRoot.MAX_BYTES);
    FieldLimits.requireMaxChars("signature", signature, TrustRoot.MAX_SIGNATURE_CHARS);
  }

  /// The result of a verification.
  public sealed interface Verification {
    record Valid(TrustRoot root) implements Verification {}

    /// It does not count.
    ///
    /// @param why what was found, and what would be right
    record Invalid(String why) implements Verification {}
  }

  /// Bytes that are too many, not JSON or not this are a [MalformedMessage].
  public static SignedTrustRoot read(byte[] json) {
    JsonObject in = JsonObject.parse(FieldLimits.requireMaxBytes("signed root", json, MAX_BYTES));
    return new SignedTrustRoot(in.string("root"), in.string("signature"));
  }

  public byte[] write() {
    return FieldLimits.requireMaxBytes(
        "signed root", JsonWriter.toBytes(out -> out.put("root", root).put("signature", signature)), MAX_BYTES);
  }

  /// Verifies it as the first root of a tenant: its own root keys have signed it.
  public Verification verifyAsFirst(String tenant) {
    return verify(found -> whyNotFirst(found, tenant));
  }

  /// Verifies it as the successor of `before`: of the same tenant, the next version, signed by enough root keys of
  /// `before` and by enough of its own. Its expiry is not checked: a root in the middle of a chain may have expired.
  public Verification verifyAsSuccessorOf(TrustRoot before) {
    return verify(found -> {
      if (found.version() != before.version() + 1) {
        return "version: expected %d, found %d".formatted(before.version() + 1, found.version());
      }
      String alone = whyNotFirst(found, before.tenant());
      return alone.isEmpty() ? whyNotSigned(before, "the root before, version " + before.version()) : alone;
    });
  }

  private interface Rule {
    /// Empty where nothing is wrong.
    String whyNot(TrustRoot found);
  }

  private Verification verify(Rule rule) {
    try {
      TrustRoot found = TrustRoot.read(root.getBytes(UTF_8));
      String why = rule.whyNot(found);
      return why.isEmpty() ? new Verification.Valid(found) : new Verification.Invalid(why);
    } catch (MalformedMessage e) {
      return new Verification.Invalid(String.valueOf(e.getMessage()));
    }
  }

  private String whyNotFirst(TrustRoot found, String tenant) {
    return found.tenant().equals(tenant)
        ? whyNotSigned(found, "itself")
        : "tenant: expected %s, found %s".formatted(tenant, found.tenant());
  }

  private String whyNotSigned(TrustRoot by, String whose) {
    TrustedKeys keys = by.trustedKeys(Role.ROOT);
    var signers = keys.signers(SignatureDomain.ROOT, root.getBytes(UTF_8), signature);
    return signers.size() >= keys.threshold()
        ? ""
        : "signature: expected %d of the root keys of %s (%s), found %s"
            .formatted(
                keys.threshold(),
                whose,
                String.join(", ", by.roleKeys(Role.ROOT).keys()),
                signers.isEmpty() ? "none" : String.join(", ", signers));
  }
}
