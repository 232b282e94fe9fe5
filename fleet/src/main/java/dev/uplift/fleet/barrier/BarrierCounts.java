package dev.uplift.fleet.barrier;

/// The hosts of a barrier, by their states.
public record BarrierCounts(int pending, int halted, int missing, int resumed) {
  public int hosts() {
    return pending + halted + missing + resumed;
  }

  /// For people.
  public String describe() {
    return "%d of %d hosts halted, %d pending, %d missing, %d resumed"
        .formatted(halted, hosts(), pending, missing, resumed);
  }
}
