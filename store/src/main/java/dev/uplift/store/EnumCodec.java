package dev.uplift.store;

import java.util.Locale;

/// The enum constants of `fleet` as the tables hold them, readable for people: `rolled-back`.
public final class EnumCodec {
  private EnumCodec() {}

  public static String encode(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static <E extends Enum<E>> E decode(Class<E> words, String text) {
    return Enum.valueOf(words, text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
