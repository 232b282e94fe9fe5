package dev.uplift.services.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class RejectedMessagesTest {
  private final AtomicLong nanos = new AtomicLong();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final RejectedMessages rejected = new RejectedMessages(meters, nanos::get);
  private final Logger logger = (Logger) LoggerFactory.getLogger(RejectedMessages.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
  }

  @Test
  void theNextReasonOfASenderIsSaidAMinuteLater() {
    rejected.record("event", "shop", "at: expected a time, found 7");
    rejected.record("event", "shop", "percent: expected an integer, found -1");
    assertThat(texts()).hasSize(1);
    assertThat(texts().getFirst()).contains("at: expected a time;").doesNotContain("found");

    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    rejected.record("event", "shop", "percent: expected an integer, found -1");

    assertThat(texts()).hasSize(2);
    assertThat(texts().getLast()).contains("percent: expected an integer;");
    assertThat(meters.counter("uplift.messages.rejected", "kind", "event").count()).isEqualTo(3);
  }

  @Test
  void manySendersDoNotFillTheLog() {
    for (int i = 0; i < 1000; i++) {
      rejected.record("event", "shop-" + i, "id: expected a text, found none");
    }

    assertThat(texts()).hasSize(RejectedMessages.MAX_LOGGED);
  }

  private List<String> texts() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
