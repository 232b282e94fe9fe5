package dev.uplift.cli.release;

import dev.uplift.cli.keys.KeyFile;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import java.nio.file.Path;

/// Signs releases with a private key.
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

  /// Returns the line of `release.sig` for these bytes of `release.json`. Deterministic.
  public String sign(byte[] release) {
    return key.sign(SignatureDomain.RELEASE, release) + "\n";
  }
}
