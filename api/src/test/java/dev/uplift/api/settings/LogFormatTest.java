package dev.uplift.api.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import dev.uplift.services.LogContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The log as `logback.xml` of the server configures it.
final class LogFormatTest {
  private final LoggerContext context = new LoggerContext();

  @AfterEach
  void stop() {
    context.stop();
  }

  @Test
  void aLineIsTextUnlessASettingSaysOtherwise() throws Exception {
    assertThat(line("text", "it is\ndone")).contains(" WARN  Test: it is | done").containsOnlyOnce("\n").endsWith("\n");
  }

  @Test
  void aLineOfJsonIsOneObjectThatSaysWhatItIsAbout() throws Exception {
    context.putProperty("UPLIFT_LOG_FORMAT", "json");
    String line;
    try (LogContext _ = LogContext.ofStep("acme", "site", "u1", "left")) {
      line = line("json", "a \"word\"\non two lines");
    }

    assertThat(line).endsWith("}\n").containsOnlyOnce("\n");
    JsonNode json = JsonMapper.shared().readTree(line);
    assertThat(json.path("level").asString()).isEqualTo("WARN");
    assertThat(json.path("loggerName").asString()).isEqualTo("dev.uplift.Test");
    assertThat(json.path("formattedMessage").asString()).isEqualTo("a \"word\"\non two lines");
    assertThat(json.path("throwable").path("message").asString()).isEqualTo("no");
    assertThat(json.path("timestamp").isIntegralNumber()).isTrue();
    assertThat(json.path("mdc"))
        .isEqualTo(
            JsonMapper.shared()
                .readTree("{\"tenant\":\"acme\",\"device\":\"site\",\"upgrade\":\"u1\",\"host\":\"left\"}"));
  }

  @Test
  void nothingIsSaidOfWhatIsOver() throws Exception {
    context.putProperty("UPLIFT_LOG_FORMAT", "json");
    LogContext.ofHost("acme", "left").close();

    assertThat(JsonMapper.shared().readTree(line("json", "next")).path("mdc")).isEmpty();
  }

  /// Returns what the appender of this name writes.
  private String line(String appender, String message) throws Exception {
    context.setMDCAdapter(((LoggerContext) LoggerFactory.getILoggerFactory()).getMDCAdapter());
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(requireNonNull(LogFormatTest.class.getResource("/logback.xml")));
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    var found = (OutputStreamAppender<ILoggingEvent>) requireNonNull(root.getAppender(appender), appender);
    var logger = context.getLogger("dev.uplift.Test");
    var event = new LoggingEvent("", logger, Level.WARN, message, withoutTrace(), null);
    return new String(found.getEncoder().encode(event), UTF_8);
  }

  private static IllegalStateException withoutTrace() {
    var failure = new IllegalStateException("no");
    failure.setStackTrace(new StackTraceElement[0]);
    return failure;
  }
}
