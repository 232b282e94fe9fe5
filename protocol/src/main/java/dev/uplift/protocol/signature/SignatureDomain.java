package dev.uplift.protocol.signature;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.Signature;

/// The meaning of a signature. It is part of the signed bytes, so that no signature can be used for another purpose.
public enum SignatureDomain {
  /// This host may do this now.
  COMMAND("uplift-command-v1"),
  /// This release exists.
  RELEASE("uplift-release-v1"),
  /// This release may follow a newer one of its package.
  DOWNGRADE("uplift-downgrade-v1"),
  /// These keys have these roles.
  ROOT("uplift-root-v1");

  private final String prefix;

  SignatureDomain(String prefix) {
    this.prefix = prefix;
  }

  void update(Signature signature, byte[] bytes) throws GeneralSecurityException {
    signature.update(prefix.getBytes(US_ASCII));
    signature.update((byte) 0);
    signature.update(bytes);
  }
}
