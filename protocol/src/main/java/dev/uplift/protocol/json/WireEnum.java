package dev.uplift.protocol.json;

import java.util.Locale;

/// An enum constant that travels as a word: `REBOOT_REQUIRED` is `reboot-required`.
public interface WireEnum {
  String name();

  default String wireName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
