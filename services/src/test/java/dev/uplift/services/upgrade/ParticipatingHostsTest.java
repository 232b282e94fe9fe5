package dev.uplift.services.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostId;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostRow;
import dev.uplift.store.enrolment.EnrolmentStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// AV-69: the hosts on which the application is, and no other ones.
final class ParticipatingHostsTest {
  private static final HostId LEFT = new HostId("left");
  private static final HostId RIGHT = new HostId("right");
  private static final HostId BACK = new HostId("back");
  private static final List<HostId> ALL = List.of(RIGHT, LEFT, BACK);

  @Test
  void thoseThatHaveThePackageTakePartInTheirOrder() {
    assertThat(of(reported(LEFT, "os", "1"), reported(RIGHT, "os", "unknown"), reported(BACK, "till", "7")))
        .containsExactly(RIGHT, LEFT);
  }

  @Test
  void oneThatHasReportedNothingTakesPart() {
    assertThat(of(reported(LEFT, "os", "1"), silent(RIGHT), reported(BACK, "till", "7"))).containsExactly(RIGHT, LEFT);
  }

  @Test
  void whereNoneHasItAllTakePart() {
    assertThat(of(reported(LEFT, "till", "7"), reported(RIGHT, "till", "7"), reported(BACK, "till", "7")))
        .isEqualTo(ALL);
  }

  private static List<HostId> of(HostRow... rows) {
    return ParticipatingHosts.of(ALL, Stream.of(rows).map(HostRow::software).toList(), "os");
  }

  private static HostRow reported(HostId host, String packageName, String version) {
    Map<String, String> versions = Map.of(packageName, version);
    var info = new HostInfo("{}", "0.1.0", "amd64", List.of(), "b", "i", "running", versions, Instant.EPOCH);
    return new HostRow(
        "acme", host, Optional.of("site"), Optional.of(info), Optional.empty(), versions, EnrolmentStatus.ENROLLED);
  }

  private static HostRow silent(HostId host) {
    return new HostRow(
        "acme", host, Optional.of("site"), Optional.empty(), Optional.empty(), Map.of(), EnrolmentStatus.ENROLLED);
  }
}
