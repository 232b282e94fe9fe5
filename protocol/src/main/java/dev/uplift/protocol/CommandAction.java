package dev.uplift.protocol;

import dev.uplift.protocol.json.WireEnum;

/// What a command asks of an agent.
public enum CommandAction implements WireEnum {
  PREPARE,
  UPGRADE,
  REBOOT,
  COMMIT,
  ROLLBACK,
  STOP,
  INSPECT,
  CANCEL
}
