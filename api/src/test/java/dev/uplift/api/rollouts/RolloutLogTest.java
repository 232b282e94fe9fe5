package dev.uplift.api.rollouts;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestTenant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

@ExtendWith(SharedServerExtension.class)
final class RolloutLogTest {
  private static final String PLAN =
      """
      {"package":"shopd","version":"2.0","selection":"true","everything":true,"draft":true,
      "waves":[{"rest":true}]}\
      """;

  private final Logger logger = (Logger) LoggerFactory.getLogger(RolloutService.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    logger.setLevel(Level.WARN);
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
    logger.setLevel(null);
  }

  @Test
  void linesOfARequestHaveTheNamesInItsPath(TestTenant tenant) {
    TestFleet.of(tenant, 1);
    tenant
        .operator()
        .withHeader("Idempotency-Key", "north")
        .send("POST", tenant.path("rollouts"), PLAN)
        .expectStatus(201);
    tenant.operator().send("POST", tenant.path("rollouts/north/start"), "{}").expectStatus(200);

    assertThat(lines.list)
        .filteredOn(line -> line.getFormattedMessage().contains(tenant.name()))
        .singleElement()
        .satisfies(line ->
            assertThat(line.getMDCPropertyMap())
                .containsEntry("tenant", tenant.name())
                .containsEntry("rollout", "north"));
  }
}
