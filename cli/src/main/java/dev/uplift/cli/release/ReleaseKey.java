package dev.uplift.cli.release;

import dev.uplift.cli.keys.KeyFile;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.SigningKey;
import java.nio.file.Path;

/// A private key that says which releases may exist.
public final class ReleaseKey {
  private final SigningKey key;

  public ReleaseKey(SigningKey key) {
    this.key = key;
  }

  public static ReleaseKey read(Path privateKey) {
    return new ReleaseKey(KeyFile.read(privateKey));
  }

  public String id() {
    return key.keyId();
  }

  /// The line of `release.sig` for these bytes of `release.json`. Equal bytes give an equal line.
  public String sign(byte[] release) {
    return key.sign(Purpose.RELEASE, release) + "\n";
  }
}
