package dev.uplift.temporaldev.bench;

import dev.uplift.temporaldev.chaos.ChaosReport;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// The result of `bench chaos`.
record ChaosFigures(ChaosReport report) implements BenchFigures {
  @Override
  public ObjectNode toJson() {
    return report.toJson();
  }

  @Override
  public List<String> lines() {
    return report.lines();
  }

  @Override
  public boolean isSuccessful() {
    return report.problems().isEmpty();
  }
}
