package dev.uplift.temporaldev.bench;

import dev.uplift.temporaldev.chaos.ChaosReport;
import dev.uplift.temporaldev.rolling.RollingUpgradeReport;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// The result of a bench that looks for problems instead of measuring.
record ReportFigures(ObjectNode toJson, List<String> lines, boolean isSuccessful) implements BenchFigures {
  static ReportFigures of(ChaosReport report) {
    return new ReportFigures(report.toJson(), report.lines(), report.problems().isEmpty());
  }

  static ReportFigures of(RollingUpgradeReport report) {
    return new ReportFigures(report.toJson(), report.lines(), report.problems().isEmpty());
  }
}
