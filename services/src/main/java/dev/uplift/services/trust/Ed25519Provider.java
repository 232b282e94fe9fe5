package dev.uplift.services.trust;

import java.security.Provider;
import java.security.Security;

/// Has Ed25519 signatures made and verified by Bouncy Castle, for all of this JVM, with the JDK's own keys. The bytes
/// are the same (RFC 8032); the JDK takes about ten times as long. Nothing else of Bouncy Castle is used.
///
/// See decision 0100.
public final class Ed25519Provider extends Provider {
  private static final long serialVersionUID = 1;

  private static final String NAME = "UpliftEd25519";

  private Ed25519Provider() {
    super(NAME, "1", "Ed25519 signatures by Bouncy Castle");
    putService(
        new Service(
            this,
            "Signature",
            "Ed25519",
            "org.bouncycastle.jcajce.provider.asymmetric.edec.SignatureSpi$Ed25519",
            null,
            null));
  }

  /// Signatures that are created from now on are made so. A repeat changes nothing.
  public static void install() {
    Security.insertProviderAt(new Ed25519Provider(), 1);
  }
}
