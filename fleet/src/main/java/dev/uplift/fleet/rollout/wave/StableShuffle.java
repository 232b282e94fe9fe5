package dev.uplift.fleet.rollout.wave;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// An order that looks like chance, is the same each time, and another one with another salt. So neighbours by name are
/// not neighbours in time, and not each rollout has the same canaries.
final class StableShuffle {
  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final long start;

  StableShuffle(String salt) {
    this.start = add(add(FNV_BASIS, salt), "/");
  }

  List<SelectedDevice> shuffle(Stream<SelectedDevice> members) {
    return members
        .map(selectedDevice -> new Keyed(key(selectedDevice.device()), selectedDevice))
        .sorted(Keyed.ORDER)
        .map(Keyed::member)
        .toList();
  }

  /// Small changes of the text change all of it.
  long key(String text) {
    long hash = add(start, text);
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }

  private static long add(long start, String text) {
    long hash = start;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return hash;
  }

  private record Keyed(long key, SelectedDevice member) {
    static final Comparator<Keyed> ORDER =
        Comparator.comparingLong(Keyed::key).thenComparing(keyed -> keyed.member().device());
  }
}
