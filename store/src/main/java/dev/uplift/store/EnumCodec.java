package dev.uplift.store;

import java.util.Locale;

/// The constants of `fleet` as they stand in the tables, where people read them: `rolled-back`.
public final class EnumCodec {
  private EnumCodec() {}

  public static String encode(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static <E extends Enum<E>> E decode(Class<E> words, String text) {
    return Enum.valueOf(words, text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
