package dev.uplift.cli.release;

import dev.uplift.cli.keys.KeyFile;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import java.nio.file.Path;

/// A private key that says which releases may exist.
public final class ReleaseSigner {
  private final SigningKey key;

  public ReleaseSigner(SigningKey key) {
    this.key = key;
  }

  public static ReleaseSigner read(Path privateKey) {
    return new ReleaseSigner(KeyFile.readPrivate(privateKey));
  }

  public String keyId() {
    return key.keyId();
  }

  /// The line of `release.sig` for these bytes of `release.json`. Equal bytes give an equal line.
  public String sign(byte[] release) {
    return key.sign(SignatureDomain.RELEASE, release) + "\n";
  }
}
