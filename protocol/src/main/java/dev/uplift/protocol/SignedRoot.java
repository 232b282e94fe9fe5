package dev.uplift.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Root.Role;

/// A root with its signatures, as it travels.
///
/// @param root the exact text of `root.json`
/// @param signature the exact text of `root.sig`
public record SignedRoot(String root, String signature) {
  public static final int MAX_BYTES = 24 * 1024;

  public SignedRoot {
    Bounds.chars("root", root, Root.MAX_BYTES);
    Bounds.chars("signature", signature, Root.MAX_SIGNATURE_CHARS);
  }

  /// What came of looking at it.
  public sealed interface Judgement {
    record Good(Root root) implements Judgement {}

    /// It does not count.
    ///
    /// @param why what was found, and what would be right
    record Refused(String why) implements Judgement {}
  }

  /// Bytes that are too many, not JSON or not this are a [MalformedMessage].
  public static SignedRoot read(byte[] json) {
    Fields in = Fields.of(Bounds.bytes("signed root", json, MAX_BYTES));
    return new SignedRoot(in.text("root"), in.text("signature"));
  }

  public byte[] write() {
    return Bounds.bytes(
        "signed root",
        Json.object(out -> out.put("root", root).put("signature", signature)),
        MAX_BYTES);
  }

  /// Whether it may be the first that a tenant has: its own root keys have signed it.
  public Judgement alone(String tenant) {
    return judge(found -> whyNotAlone(found, tenant));
  }

  /// Whether it may follow `before`: of the same tenant, the version after, signed by enough root
  /// keys of `before` and by enough of its own. Its expiry is not looked at: one in the middle of a
  /// chain may be past.
  public Judgement after(Root before) {
    return judge(found -> {
      if (found.version() != before.version() + 1) {
        return "version: expected %d, found %d".formatted(before.version() + 1, found.version());
      }
      String alone = whyNotAlone(found, before.tenant());
      return alone.isEmpty()
          ? whyNotSigned(before, "the root before, version " + before.version())
          : alone;
    });
  }

  private interface Check {
    /// Empty where nothing is wrong.
    String whyNot(Root found);
  }

  private Judgement judge(Check check) {
    try {
      Root found = Root.read(root.getBytes(UTF_8));
      String why = check.whyNot(found);
      return why.isEmpty() ? new Judgement.Good(found) : new Judgement.Refused(why);
    } catch (MalformedMessage e) {
      return new Judgement.Refused(String.valueOf(e.getMessage()));
    }
  }

  private String whyNotAlone(Root found, String tenant) {
    return found.tenant().equals(tenant)
        ? whyNotSigned(found, "itself")
        : "tenant: expected %s, found %s".formatted(tenant, found.tenant());
  }

  private String whyNotSigned(Root by, String whose) {
    TrustedKeys keys = by.trusted(Role.ROOT);
    var signers = keys.signers(Purpose.ROOT, root.getBytes(UTF_8), signature);
    return signers.size() >= keys.threshold()
        ? ""
        : "signature: expected %d of the root keys of %s (%s), found %s"
            .formatted(
                keys.threshold(),
                whose,
                String.join(", ", by.holders(Role.ROOT).keys()),
                signers.isEmpty() ? "none" : String.join(", ", signers));
  }
}
