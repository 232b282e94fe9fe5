package dev.uplift.cli.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.cli.option.ValidityParser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnrolmentTargetTest {
  @Test
  void aPatternIsNumbered() {
    assertThat(EnrolmentTarget.fromPattern("shop-####", "till-##-a", 9, 2, Map.of("ring", "1")))
        .containsExactly(
            new EnrolmentTarget("number 9", "shop-0009", "till-09-a", Map.of("ring", "1")),
            new EnrolmentTarget("number 10", "shop-0010", "till-10-a", Map.of("ring", "1")));
  }

  @ParameterizedTest
  @CsvSource({"shop,till-#,1", "shop-#,till,1", "shop-#-#,till-#,1", "shop-#,till-#,0", "a#,b#,100001"})
  void aPatternThatIsNoneIsRefused(String device, String host, int count) {
    assertThatThrownBy(() -> EnrolmentTarget.fromPattern(device, host, 1, count, Map.of()))
        .hasMessageContaining("one place for a number");
  }

  private static List<EnrolmentTarget> read(String... lines) {
    return EnrolmentCsv.parse("hosts.csv", List.of(lines));
  }

  @Test
  void linesAreDeviceHostAndLabels() {
    assertThat(read("device,host", "# the north", "", "shop-1, till-1 ,ring=1,a=b=c", "s,t,,"))
        .containsExactly(
            new EnrolmentTarget("hosts.csv, line 4", "shop-1", "till-1", Map.of("ring", "1", "a", "b=c")),
            new EnrolmentTarget("hosts.csv, line 5", "s", "t", Map.of()));
  }

  @Test
  void aSpreadsheetMayHaveWrittenThem() {
    assertThat(read("\uFEFFdevice,host,label", "\"shop-1\",till-1,\"site=Köln, \"\"Süd\"\"\""))
        .containsExactly(new EnrolmentTarget("hosts.csv, line 2", "shop-1", "till-1", Map.of("site", "Köln, \"Süd\"")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "shop-1| column 1: expected device,host",
        "shop-1;till-1| column 1: expected device,host[,label=value...], separated by commas",
        "shop-1,| column 8: expected a host, found nothing",
        "' ,till'| column 1: expected a device, found nothing",
        "shop-1,till-1,ring| column 15: expected label=value, found `ring`",
        "shop-1,till-1,=1| column 15: expected label=value, found `=1`",
        "shop-1,\"till-1| column 8: a quote is not closed",
        "shop-2,till-0| column 8: till-0 is already in line 1",
      })
  void whatIsWrongIsSaidWithItsLineAndColumn(String line, String said) {
    assertThatThrownBy(() -> read("shop-0,till-0", line)).hasMessageStartingWith("hosts.csv, line 2, " + said.strip());
  }

  @Test
  void aFileWithoutHostsIsNone() {
    assertThatThrownBy(() -> read("device,host", "# none")).hasMessageStartingWith("hosts.csv names no host");
  }

  @ParameterizedTest
  @CsvSource({"30m,1800", "1h,3600", "7d,604800", "90s,90"})
  void aDurationIsShort(String text, long seconds) {
    assertThat(ValidityParser.parseSeconds(text, 7)).isEqualTo(seconds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "-1h", "0s", "x"})
  void whatIsNoDurationIsRefused(String text) {
    assertThatThrownBy(() -> ValidityParser.parseSeconds(text, 7)).hasMessageContaining("such as 30m");
  }
}
