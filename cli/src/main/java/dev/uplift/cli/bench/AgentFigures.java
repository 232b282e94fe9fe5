package dev.uplift.cli.bench;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What was found beside what is allowed.
record AgentFigures(List<Figure> figures) implements Figures {
  /// The limits that `docs/agent.md` promises, under the names that `measure` uses.
  private static final List<Figure> PROMISED =
      List.of(
          new Figure("after work, resident, MiB", 55, 0),
          new Figure("after work, anonymous, MiB", 22, 0),
          new Figure("CPU to the first heartbeat, ms", 400, 0),
          new Figure("two at once, proportional, MiB", 75, 0),
          new Figure("next version to download, MB", 7, 0),
          // 0.1 % of a core.
          new Figure("idle, CPU in a minute, ms", 60, 0),
          new Figure("full installation on disk, MB", 75, 0));

  record Figure(String name, double atMost, double found) {
    String verdict() {
      return found > atMost ? "over" : "ok";
    }
  }

  static AgentFigures of(Map<String, Double> found) {
    List<Figure> figures = new ArrayList<>();
    for (Figure promised : PROMISED) {
      Double figure = found.get(promised.name());
      if (figure == null) {
        throw new CommandFailed(
            CommandFailed.OTHER_OUTCOME, "measure has not said: " + promised.name());
      }
      figures.add(new Figure(promised.name(), promised.atMost(), figure));
    }
    return new AgentFigures(figures);
  }

  /// It reports, whatever it found.
  @Override
  public boolean isAsWished() {
    return true;
  }

  @Override
  public ObjectNode json() {
    ObjectNode json = Rest.JSON.createObjectNode();
    ArrayNode all = json.putArray("figures");
    for (Figure figure : figures) {
      all.addObject()
          .put("figure", figure.name())
          .put("at_most", figure.atMost())
          .put("found", figure.found())
          .put("verdict", figure.verdict());
    }
    return json;
  }

  @Override
  public List<String> lines() {
    Table table = new Table("FIGURE", "AT MOST", "FOUND", "");
    for (Figure figure : figures) {
      table.row(
          figure.name(),
          String.format(Locale.ROOT, "%.1f", figure.atMost()),
          String.format(Locale.ROOT, "%.1f", figure.found()),
          figure.verdict());
    }
    return table.lines();
  }
}
