package dev.uplift.services.selection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SelectionTest {
  private static final SelectableDevice SITE =
      new SelectableDevice(
          "berlin-7",
          Map.of("region", "north", "ring", "2"),
          Map.of("os", "1.4.0", "shopd", SelectableDevice.MIXED),
          3,
          "Europe/Berlin");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "true",
        "labels.region == 'north'",
        "labels['region'] == \"north\" && hosts > 2",
        "device.startsWith('berlin')",
        "device.matches('^[a-z]+-[0-9]$')",
        "versions.os in ['1.3.0', '1.4.0']",
        "versions.shopd == 'mixed'",
        "'ring' in labels && int(labels.ring) >= 2",
        "!('late' in labels)",
        "zone == 'Europe/Berlin'",
        "hosts > 2.5"
      })
  void isTrueOf(String expression) {
    assertThat(compiled(expression).matches(SITE)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "false",
        "labels.region == 'south'",
        "labels.late == 'yes'",
        "labels.late != 'yes'",
        "versions.shelf == '1'",
        "int(labels.region) > 1"
      })
  void isNotTrueOf(String expression) {
    assertThat(compiled(expression).matches(SITE)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " is ",
      quoteCharacter = '"',
      value = {
        "true is true",
        "1 < 2 || false is true",
        "'labels' == 'labels' is true",
        "!(1 > 2) is true",
        "false is false",
        "1 / 0 == 1 is false",
        "hosts > 0 is false",
        "device == device is false",
        "labels.region == 'north' || true is false"
      })
  void whatAsksForNothingOfADeviceAndIsTrueIsTrueOfEveryDevice(String expression, boolean yes) {
    assertThat(compiled(expression).isTrueOfEveryDevice()).isEqualTo(yes);
  }

  @Test
  void missingLabelIsNamed() {
    assertThat(compiled("labels.late == 'yes'").evaluate(SITE))
        .isInstanceOfSatisfying(
            Selection.Evaluation.Unknown.class, unknown -> assertThat(unknown.reason()).isEqualTo("no label late"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "labels['late'] == 'yes' | no label late",
        "hosts > 0 && labels.late == 'yes' | no label late",
        "versions.late == '1' | no known version of late",
        "hosts / 0 == 1 | no value for the expression (evaluation error at <input>:6: / by zero)",
      })
  void aDeviceLacksWhatTheExpressionNeedsInPlainWords(String expression, String missing) {
    assertThat(compiled(expression).evaluate(SITE)).isEqualTo(new Selection.Evaluation.Unknown(missing));
  }

  @Test
  void aSingleEqualsSignIsExplained() {
    assertThat(Selection.compile("labels.region = 'north'"))
        .isEqualTo(new CompiledSelection.Invalid(new SelectionError(1, 15, "found a single =; use == to compare")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "labels.region = 'north' | 1 | 15",
        "label.region == 'north' | 1 | 1",
        "labels.region | 1 | 7",
        "hosts == 'x' | 1 | 7",
        "(hosts > 1 | 1 | 11"
      })
  void errorIsReportedWithItsPosition(String expression, int line, int column) {
    assertThat(Selection.compile(expression))
        .isInstanceOfSatisfying(
            CompiledSelection.Invalid.class,
            invalid -> {
              assertThat(invalid.error().text()).isNotBlank();
              assertThat(invalid.error().line()).isEqualTo(line);
              assertThat(invalid.error().column()).isEqualTo(column);
            });
  }

  @Test
  void errorOnTheSecondLineHasItsLine() {
    assertThat(Selection.compile("hosts > 1 &&\n  label.x == 'y'"))
        .isInstanceOfSatisfying(
            CompiledSelection.Invalid.class, invalid -> assertThat(invalid.error().line()).isEqualTo(2));
  }

  @Test
  void tooLongATextIsNotCompiled() {
    assertThat(Selection.compile("x".repeat(2001))).isInstanceOf(CompiledSelection.Invalid.class);
  }

  private static Selection compiled(String expression) {
    return ((CompiledSelection.Valid) Selection.compile(expression)).selection();
  }
}
