package dev.uplift.temporaldev.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.cli.rest.CliException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentFiguresTest {
  private static final List<String> SAID =
      List.of(
          "Certificate stored in file </tmp/cert.pem>",
          "full installation on disk, MB                     65.0",
          "next version to download, MB                       6.9",
          "CPU to the first heartbeat, ms                   350.0",
          "after work, resident, MiB                         55.1",
          "after work, anonymous, MiB                        22.0",
          "idle, CPU in a minute, ms                         20.0",
          "two at once, proportional, MiB                    71.3");

  @Test
  void everyFigureIsJudged() {
    AgentFigures figures = AgentFigures.of(AgentBench.figures(SAID));

    assertThat(figures.lines())
        .contains(
            "after work, resident, MiB       55.0   55.1      exceeded",
            "after work, anonymous, MiB      22.0   22.0      ok");
    assertThat(figures.toJson().path("figures").size()).isEqualTo(7);
    assertThat(figures.toJson().at("/figures/0/verdict").asString()).isEqualTo("exceeded");
    assertThat(figures.isSuccessful()).isTrue();
  }

  @Test
  void aFigureThatIsMissingIsNoneThatIsFine() {
    assertThatThrownBy(() -> AgentFigures.of(Map.of()))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("after work, resident, MiB");
  }
}
