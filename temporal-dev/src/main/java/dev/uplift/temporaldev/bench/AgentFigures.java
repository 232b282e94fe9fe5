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

/// What was found beside what is allowed.
record AgentFigures(List<Figure> figures) implements BenchFigures {
  /// The limits that `docs/agent.md` promises, under the names that `measure` uses.
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
      return measured > limit ? "over" : "ok";
    }
  }

  static AgentFigures of(Map<String, Double> found) {
    List<Figure> figures = new ArrayList<>();
    for (Figure promised : LIMITS) {
      Double figure = found.get(promised.name());
      if (figure == null) {
        throw new CliException(
            CliException.UNSUCCESSFUL_OUTCOME, "measure has not said: " + promised.name());
      }
      figures.add(new Figure(promised.name(), promised.limit(), figure));
    }
    return new AgentFigures(figures);
  }

  /// It reports, whatever it found.
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
          .put("at_most", figure.limit())
          .put("found", figure.measured())
          .put("verdict", figure.verdict());
    }
    return json;
  }

  @Override
  public List<String> lines() {
    Table table = new Table("FIGURE", "AT MOST", "FOUND", "");
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
