package dev.uplift.temporaldev.bench;

import java.util.Collection;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Summary of many samples.
record Percentiles(long samples, double mean, long p50, long p99, long max) {

  static Percentiles of(Collection<Long> figures) {
    if (figures.isEmpty()) {
      return new Percentiles(0, 0, 0, 0, 0);
    }
    List<Long> sorted = figures.stream().sorted().toList();
    double mean = sorted.stream().mapToLong(Long::longValue).average().orElse(0);
    return new Percentiles(sorted.size(), mean, at(sorted, 0.50), at(sorted, 0.99), sorted.getLast());
  }

  /// Returns the smallest sample that this share of all samples does not exceed.
  private static long at(List<Long> sorted, double share) {
    return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
  }

  void putInto(ObjectNode json) {
    json.put("samples", samples).put("mean", ProcessCosts.rounded(mean));
    json.put("p50", p50).put("p99", p99).put("max", max);
  }

  @Override
  public String toString() {
    return "p50 %d, p99 %d, max %d (%d samples)".formatted(p50, p99, max, samples);
  }
}
