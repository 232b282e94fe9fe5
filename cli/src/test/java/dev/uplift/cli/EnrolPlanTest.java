package dev.uplift.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnrolPlanTest {
  @Test
  void aPatternIsNumbered() {
    assertThat(EnrolPlan.counted("shop-####", "till-##-a", 9, 2, Map.of("ring", "1")))
        .containsExactly(
            new EnrolPlan("shop-0009", "till-09-a", Map.of("ring", "1")),
            new EnrolPlan("shop-0010", "till-10-a", Map.of("ring", "1")));
  }

  @Test
  void aPatternWithoutAPlaceForTheNumberIsRefused() {
    assertThatThrownBy(() -> EnrolPlan.counted("shop", "till-#", 1, 2, Map.of()))
        .hasMessageContaining("a place for a number");
  }

  @Test
  void linesAreDeviceHostAndLabels() {
    assertThat(
            EnrolPlan.lines(
                List.of("device,host", "# the north", "", "shop-1, till-1 ,ring=1,a=b=c", "s,t")))
        .containsExactly(
            new EnrolPlan("shop-1", "till-1", Map.of("ring", "1", "a", "b=c")),
            new EnrolPlan("s", "t", Map.of()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"shop-1", "shop-1,", ",till", "shop-1,till-1,ring"})
  void aLineThatIsNoneIsNamed(String line) {
    assertThatThrownBy(() -> EnrolPlan.lines(List.of("# first", line)))
        .hasMessageContaining("line 2: expected device,host");
  }

  @ParameterizedTest
  @CsvSource({"30m,1800", "1h,3600", "7d,604800", "90s,90"})
  void aDurationIsShort(String text, long seconds) {
    assertThat(EnrolCommand.seconds(text)).isEqualTo(seconds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "-1h", "0s", "x"})
  void whatIsNoDurationIsRefused(String text) {
    assertThatThrownBy(() -> EnrolCommand.seconds(text)).hasMessageContaining("such as 30m");
  }
}
