package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Measured figures and their limits.
record AgentFigures(List<Figure> figures) implements BenchFigures {
  /// The limits of `docs/agent.md` by the names of `measure`.
  private static final List<Figure> LIMITS =
      List.of(
          new Figure("after work, resident, MiB", 55, 0),
          new Figure("after work, anonymous, MiB", 22, 0),
          new Figure("CPU to the first heartbeat, ms", 400, 0),
          new Figure("two at once, proportional, MiB", 75, 0),
          new Figure("next version to download, MB", 7, 0),
          // 0.1 % of a core.
          new Figure("idle, CPU in a minute, ms", 60, 0),
          new Figure("full installation on disk, MB", 75, 0));

  record Figure(String name, double limit, double measured) {
    String verdict() {
      return measured > limit ? "exceeded" : "ok";
    }
  }

  static AgentFigures of(Map<String, Double> measured) {
    List<Figure> figures = new ArrayList<>();
    for (Figure limit : LIMITS) {
      Double figure = measured.get(limit.name());
      if (figure == null) {
        throw new CliException(CliException.UNSUCCESSFUL_OUTCOME, "no figure by measure: " + limit.name());
      }
      figures.add(new Figure(limit.name(), limit.limit(), figure));
    }
    return new AgentFigures(figures);
  }

  /// Returns true: the bench only reports.
  @Override
  public boolean isSuccessful() {
    return true;
  }

  @Override
  public ObjectNode toJson() {
    ObjectNode json = RestClient.JSON.createObjectNode();
    ArrayNode all = json.putArray("figures");
    for (Figure figure : figures) {
      all.addObject()
          .put("figure", figure.name())
          .put("limit", figure.limit())
          .put("measured", figure.measured())
          .put("verdict", figure.verdict());
    }
    return json;
  }

  @Override
  public List<String> lines() {
    Table table = new Table("FIGURE", "LIMIT", "MEASURED", "");
    for (Figure figure : figures) {
      table.addRow(
          figure.name(),
          String.format(Locale.ROOT, "%.1f", figure.limit()),
          String.format(Locale.ROOT, "%.1f", figure.measured()),
          figure.verdict());
    }
    return table.lines();
  }
}
