package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LinesTest {
  @Test
  void peopleCanReadThem() {
    assertThat(Lines.write(Map.of("shopd", "1.4", "os", "2"))).isEqualTo("os=2\nshopd=1.4");
    assertThat(Lines.write(List.of("left", "right"))).isEqualTo("left\nright\n");
  }

  @Test
  void whateverIsInThemComesBack() {
    Map<String, String> map =
        Map.of("", "", "a=b", "c=d", "e\nf", "\r\n", "\\", "\\n", "\\e", "=", "ü", "😀");
    List<String> list = List.of("", "a", "\n", "\\", "\\n", "");

    assertThat(Lines.readMap(Lines.write(map))).isEqualTo(map);
    assertThat(Lines.read(Lines.write(list))).isEqualTo(list);
    assertThat(Lines.read(Lines.write(List.of()))).isEmpty();
    assertThat(Lines.read(Lines.write(List.of("")))).containsExactly("");
    assertThat(Lines.readMap(Lines.write(Map.of()))).isEmpty();
  }
}
