package dev.uplift.services.enrolment;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EnrolmentSettingsTest {
  @TempDir private Path folder;

  @Test
  void aServerThatHostsWouldReachInTheClearAdmitsNone() {
    assertThatThrownBy(() -> EnrolmentSettings.read(folder, "http://uplift.example.com", "tls://nats.example.com", ""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("UPLIFT_ENROLMENT_SERVER_URL (or UPLIFT_PUBLIC_URL): expected https://");
    assertThatThrownBy(
            () -> EnrolmentSettings.read(folder, "https://uplift.example.com", "nats://nats.example.com", ""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("UPLIFT_ENROLMENT_NATS_URL (or UPLIFT_NATS_URL): expected tls://");
  }
}
