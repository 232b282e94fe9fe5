package dev.uplift.agent.core;

import dev.uplift.protocol.TrustedKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;

/// Whose word counts. Both have to agree: that a release exists, and that this host may have it
/// now.
public record Trust(TrustedKeys commands, TrustedKeys releases) {

  /// `command/*.pem` and `release/*.pem` of a folder.
  public static Trust read(Path folder) throws IOException, GeneralSecurityException {
    return new Trust(
        TrustedKeys.read(folder.resolve("command")), TrustedKeys.read(folder.resolve("release")));
  }
}
