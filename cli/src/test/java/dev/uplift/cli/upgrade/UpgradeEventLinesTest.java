package dev.uplift.cli.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Terminal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The lines for people about an upgrade, from the responses of the server.
class UpgradeEventLinesTest {
  private static final String PREPARING =
      """
      {"id": "u1", "device": "shop", "package": "shopd", "version": "1.5.0", "phase": "prepare",
       "started_at": "2026-11-20T12:00:00Z",
       "hosts": [{"host": "left", "progress": "unchanged", "version": "1.4.0"},
                 {"host": "right", "progress": "unchanged", "version": "1.4.0"}],
       "waiting": [{"reason": "result", "host": "left", "step": "prepare",
                    "message": "the answer of left to prepare", "since": "2026-11-20T12:00:01Z"},
                   {"reason": "heartbeat", "host": "right", "step": "await-heartbeat",
                    "message": "a heartbeat of right", "since": "2026-11-20T12:00:02Z",
                    "presence": {"presence": "silent"}}],
       "timeline": [{"id": "c1", "host": "left", "step": "prepare", "progress": "unpacks 1.5.0",
                     "published_at": "2026-11-20T12:00:01Z"}]}
      """;
  private static final String ENDED =
      """
      {"id": "u1", "device": "shop", "package": "shopd", "version": "1.5.0", "phase": "ended",
       "outcome": "rolled-back", "reason": {"code": "health-failed", "message": "no price list"},
       "started_at": "2026-11-20T12:00:00Z", "ended_at": "2026-11-20T12:00:09Z",
       "hosts": [{"host": "left", "progress": "rolled-back", "version": "1.4.0"},
                 {"host": "right", "progress": "unchanged", "version": "1.4.0"}],
       "timeline": [{"id": "c1", "host": "left", "step": "prepare",
                     "outcome": {"result": "done"},
                     "published_at": "2026-11-20T12:00:01Z", "closed_at": "2026-11-20T12:00:02Z"},
                    {"id": "c2", "host": "left", "step": "upgrade",
                     "outcome": {"result": "error", "code": "health-failed", "message": "no price list"},
                     "published_at": "2026-11-20T12:00:02Z", "closed_at": "2026-11-20T12:00:08Z"}]}
      """;

  private final UpgradeEventLines events = new UpgradeEventLines(Terminal.PLAIN);

  @Test
  void eachEventIsSaidOnce() {
    assertThat(events.linesSince(List.of(view(PREPARING))))
        .containsExactly(
            clock("12:00:01") + "  shop            left  prepare: sent",
            clock("12:00:02") + "  shop            right  waiting for a heartbeat of right");
    assertThat(events.linesSince(List.of(view(PREPARING)))).isEmpty();

    assertThat(events.linesSince(List.of(view(ENDED))))
        .containsExactly(
            clock("12:00:02") + "  shop            left  prepare: done (1.0 s)",
            clock("12:00:02") + "  shop            left  upgrade: sent",
            clock("12:00:08") + "  shop            left  upgrade: health-failed: no price list (6.0 s)",
            clock("12:00:09") + "  shop            shopd 1.5.0: rolled-back (health-failed: no price list)");
    assertThat(events.linesSince(List.of(view(ENDED)))).isEmpty();
  }

  @Test
  void theBlockHasALinePerDeviceAndHost() {
    var block = new UpgradeProgressBlock(new Terminal(true, false, 24, 60));
    Instant now = Instant.parse("2026-11-20T12:00:04Z");

    assertThat(block.lines(List.of(view(PREPARING)), now))
        .containsExactly(
            "shop  shopd 1.5.0  prepare  4.0 s",
            "  ▸ left   prepare          3.0 s   unpacks 1.5.0",
            "  ▸ right  await-heartbeat  2.0 s   waiting for a heartbeat…");
    assertThat(block.lines(List.of(view(ENDED)), now))
        .containsExactly(
            "shop  shopd 1.5.0  rolled-back  9.0 s",
            "  ↺ left   rolled-back              1.4.0",
            "  · right  unchanged                1.4.0",
            "    health-failed: no price list");
  }

  @Test
  void noLineOfTheBlockIsWiderThanTheTerminal() {
    var block = new UpgradeProgressBlock(new Terminal(true, false, 24, 40));

    assertThat(block.lines(List.of(view(PREPARING)), Instant.parse("2026-11-20T12:00:04Z")))
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(40));
  }

  private static UpgradeResponse view(String json) {
    return UpgradeResponse.of(RestClient.JSON.readTree(json));
  }

  private static String clock(String utc) {
    return utc + "Z";
  }
}
