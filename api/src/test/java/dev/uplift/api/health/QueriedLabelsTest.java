package dev.uplift.api.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class QueriedLabelsTest {
  @Test
  void labelsOfMatchersAndOfEachGroupAroundAMetricAreFound() {
    assertThat(QueriedLabels.in("sum by (state) (max by (state, wait) (a_b{c=\"x, y_z\",d!~\"e=f\"})) > 6 * a_c"))
        .containsExactly(labels("a_b", "c", "d", "state", "wait"), labels("a_c"));
    assertThat(QueriedLabels.in("sum by (q) (rate(a_sum[5m])) / sum by (p) (rate(a_count[5m])) or a_d == 0"))
        .containsExactly(labels("a_sum", "q"), labels("a_count", "p"), labels("a_d"));
    assertThat(QueriedLabels.in("histogram_quantile(0.95, sum by (step, le) (rate(a_bucket[30m])))"))
        .containsExactly(labels("a_bucket", "step", "le"));
  }

  @Test
  void aLabelThatAMetricDoesNotHaveIsMissing() {
    var queried = labels("a_b", "state", "instance", "le", "stat");
    assertThat(queried.missing(_ -> Set.of("state"))).containsExactly("le", "stat");
    assertThat(labels("a_bucket", "le").missing(_ -> Set.of())).isEmpty();
  }

  private static QueriedLabels labels(String metric, String... labels) {
    return new QueriedLabels(metric, Set.of(labels));
  }
}
