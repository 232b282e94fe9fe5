package dev.uplift.protocol;

import dev.uplift.protocol.json.WireEnum;

/// How the server reacts to an error: retry, end the upgrade, respect the refusal, or wait for an operator.
public enum WireErrorClass implements WireEnum {
  RETRYABLE,
  FINAL,
  DECLINED,
  NEEDS_PERSON
}
