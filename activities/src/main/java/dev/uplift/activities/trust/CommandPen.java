package dev.uplift.activities.trust;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.Root;
import dev.uplift.protocol.SigningKey;
import java.util.Optional;

/// Signs what hosts are told. The bytes of a command never change; who has signed them does, when
/// keys are exchanged while it waits.
public final class CommandPen {
  private final Trust trust;
  private final CommandKeys keys;

  public CommandPen(Trust trust, CommandKeys keys) {
    this.trust = trust;
    this.keys = keys;
  }

  /// With the key that the tenant's newest root wants.
  ///
  /// @throws NoCommandKey where it names none that is here
  public String sign(String tenant, byte[] body) {
    return keyOf(tenant).sign(Purpose.COMMAND, body);
  }

  /// The signature, if it is still the one that is wanted; else another one.
  ///
  /// @throws NoCommandKey where the newest root names no key that is here
  public String renew(String tenant, String body, String signature) {
    SigningKey key = keyOf(tenant);
    return signature.startsWith(key.keyId() + ".")
        ? signature
        : key.sign(Purpose.COMMAND, body.getBytes(UTF_8));
  }

  private SigningKey keyOf(String tenant) {
    Optional<Root> root = trust.of(tenant);
    return root.isEmpty()
        ? keys.any()
        : keys.under(root.get()).orElseThrow(() -> new NoCommandKey(root.get()));
  }
}
