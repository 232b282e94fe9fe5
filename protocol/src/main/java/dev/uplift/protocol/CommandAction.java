package dev.uplift.protocol;

import dev.uplift.protocol.json.WireEnum;

/// The wire word of each [Order].
public enum CommandAction implements WireEnum {
  PREPARE,
  UPGRADE,
  REBOOT,
  COMMIT,
  ROLLBACK,
  STOP,
  HALT,
  RESUME,
  INSPECT,
  CANCEL
}
