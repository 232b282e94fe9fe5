package dev.uplift.temporaldev.bench;

import dev.uplift.temporaldev.night.NightReport;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// The result of `bench night`: no figures but a table, which has to be right to the device.
record NightFigures(NightReport report) implements BenchFigures {
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
