package dev.uplift.fleet.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ReceiverUrlTest {
  @ParameterizedTest
  @CsvSource({
    "https://example.com,             true,  example.com, 443,   /,         example.com",
    "https://example.com/,            true,  example.com, 443,   /,         example.com",
    "https://example.com:443/a,       true,  example.com, 443,   /a,        example.com",
    "https://example.com:8443/a/b?c=d,true,  example.com, 8443,  /a/b?c=d,  example.com:8443",
    "http://127.0.0.1:65535/%20?a?b,  false, 127.0.0.1,   65535, /%20?a?b,  127.0.0.1:65535",
    "http://a-b.c,                    false, a-b.c,       80,    /,         a-b.c",
  })
  void aUrlHasItsParts(String url, boolean isEncrypted, String host, int port, String target, String authority) {
    ReceiverUrl parsed = ReceiverUrl.parse(url);

    assertThat(parsed).isEqualTo(new ReceiverUrl(isEncrypted, host, port, target));
    assertThat(parsed.authority()).isEqualTo(authority);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "example.com",
        "ftp://example.com",
        "https://",
        "https://ann:secret@example.com",
        "https://example.com#top",
        "https://example.com/#top",
        "https://example.com:0",
        "https://example.com:65536",
        "https://example.com/%zz",
        "https://example.com/a b",
        "https://example.com/a\r\nX: y",
        "https://exam_ple.com",
        "https://-a.com",
        "https://[::1]/",
        "https://example.com?a=b",
        "HTTPS://example.com"
      })
  void anythingElseIsRefused(String url) {
    assertThatThrownBy(() -> ReceiverUrl.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("expected a URL such as");
  }
}
