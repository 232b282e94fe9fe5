package dev.uplift.protocol;

import dev.uplift.protocol.json.WireEnum;

/// What may be done about an error: send again, give up, respect the refusal, call somebody.
public enum WireErrorClass implements WireEnum {
  RETRYABLE,
  FINAL,
  DECLINED,
  NEEDS_PERSON
}
