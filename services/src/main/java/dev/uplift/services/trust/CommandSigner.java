package dev.uplift.services.trust;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import jakarta.inject.Singleton;
import java.util.Optional;

/// Signs commands. The bytes of a command never change; its signature does if the key is replaced while the command
/// waits.
@Singleton
public final class CommandSigner {
  private final TrustRoots trustRoots;
  private final CommandKeys keys;

  public CommandSigner(TrustRoots trustRoots, CommandKeys keys) {
    this.trustRoots = trustRoots;
    this.keys = keys;
  }

  /// Signs with the key that a root of the tenant names.
  ///
  /// @param rootVersion of the newest; 0 if there is none
  /// @throws NoCommandKey if it names none that is here
  public String sign(String tenant, long rootVersion, byte[] body) {
    return keyOf(trustRoots.find(tenant, rootVersion)).sign(SignatureDomain.COMMAND, body);
  }

  /// Returns the signature if its key is still the right one; else signs again.
  ///
  /// @throws NoCommandKey if the newest root names no key that is here
  public String signAgainIfKeyChanged(String tenant, String body, String signature) {
    SigningKey key = keyOf(trustRoots.newest(tenant));
    return signature.startsWith(key.keyId() + ".")
        ? signature
        : key.sign(SignatureDomain.COMMAND, body.getBytes(UTF_8));
  }

  private SigningKey keyOf(Optional<TrustRoot> root) {
    return root.isEmpty() ? keys.any() : keys.forRoot(root.get()).orElseThrow(() -> new NoCommandKey(root.get()));
  }
}
