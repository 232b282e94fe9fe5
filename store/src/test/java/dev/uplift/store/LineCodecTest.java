package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LineCodecTest {
  @Test
  void textIsReadable() {
    assertThat(LineCodec.encode(Map.of("shopd", "1.4", "os", "2"))).isEqualTo("os=2\nshopd=1.4");
    assertThat(LineCodec.encode(List.of("left", "right"))).isEqualTo("left\nright\n");
  }

  @Test
  void everyContentIsReadBack() {
    Map<String, String> map = Map.of("", "", "a=b", "c=d", "e\nf", "\r\n", "\\", "\\n", "\\e", "=", "ü", "😀");
    List<String> list = List.of("", "a", "\n", "\\", "\\n", "");

    assertThat(LineCodec.decodeMap(LineCodec.encode(map))).isEqualTo(map);
    assertThat(LineCodec.decodeList(LineCodec.encode(list))).isEqualTo(list);
    assertThat(LineCodec.decodeList(LineCodec.encode(List.of()))).isEmpty();
    assertThat(LineCodec.decodeList(LineCodec.encode(List.of("")))).containsExactly("");
    assertThat(LineCodec.decodeMap(LineCodec.encode(Map.of()))).isEmpty();
  }
}
