package dev.uplift.activities;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.OfferedUpdates;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.Subjects;
import dev.uplift.services.TestStacks;
import dev.uplift.services.presence.HostInventory;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.presence.ReceivedHeartbeat;
import dev.uplift.store.device.HeartbeatRow;
import dev.uplift.store.device.HostRow;
import dev.uplift.store.pin.HostHold;
import dev.uplift.store.pin.HostHoldRepository;
import io.nats.client.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

final class HostInventoryTest extends HostUpgradeScenario {
  private static final String INFO =
      """
      {"protocol_version":1,"agent_version":"0.1.0","drivers":["simulated"],"architecture":"x86_64",
      "versions":{"os":"1.4.0"},"boot_id":"boot-1","instance":"one","state":"running",
      "at":"2026-03-29T01:30:00Z"}\
      """;

  @Override
  protected InProcessServer server() {
    return InProcessServer.shared();
  }

  @Test
  void reportsOfAHostAreWrittenToTheTables() throws Exception {
    publishInfo(INFO);

    await().atMost(Duration.ofSeconds(75)).until(() -> row().flatMap(HostRow::info).isPresent());
    assertThat(row().orElseThrow().info().orElseThrow().drivers()).containsExactly("simulated");
    assertThat(row().orElseThrow().versions()).containsEntry(InProcessServer.PACKAGE, "1.4.0");
  }

  @Test
  void anAgentWithAnotherVersionOfTheProtocolHasNoDriverForThisServer() throws Exception {
    publishInfo(INFO.replace("\"protocol_version\":1", "\"protocol_version\":2"));

    await().atMost(Duration.ofSeconds(75)).until(() -> row().flatMap(HostRow::info).isPresent());
    assertThat(row().orElseThrow().info().orElseThrow().drivers()).isEmpty();
    assertThat(row().orElseThrow().versions()).containsEntry(InProcessServer.PACKAGE, "1.4.0");
  }

  @Test
  void whatTheOwnerOfAHostHoldsIsRecordedUntilAnInfoSaysIsNoLonger() throws Exception {
    String hold = "\"os\":{\"reason\":\"stocktaking\",\"by\":\"root\",\"since\":\"2026-03-29T01:00:00Z\"}";
    publishInfo(INFO.replace("\"at\":", "\"holds\":{" + hold + "},\"at\":"));

    var holds = server().bean(HostHoldRepository.class);
    await()
        .atMost(Duration.ofSeconds(75))
        .until(
            () -> holds.find(TestStacks.TENANT, host.id()).stream().map(HostHold::reason).toList(),
            List.of("stocktaking")::equals);
    publishInfo(INFO);
    await().atMost(Duration.ofSeconds(75)).until(() -> holds.find(TestStacks.TENANT, host.id()).isEmpty());
  }

  @Test
  void whatIsOfferedToAHostIsRecordedAndToldWhenItChanges() throws Exception {
    var heard = new LinkedBlockingQueue<HostId>();
    server().bean(HostInventory.class).addListener((_, hosts) -> heard.addAll(hosts));
    String offer = "\"os\":{\"updates\":3,\"security\":1,\"digest\":\"2f7a90c41d3be856\"}";

    publishInfo(INFO.replace("\"at\":", "\"offers\":{" + offer + "},\"at\":"));

    await().atMost(Duration.ofSeconds(75)).until(() -> heard.contains(host.id()));
    OfferedUpdates found = requireNonNull(offered().get(host.id()));
    assertThat(found.updates()).isEqualTo(3);
    assertThat(found.security()).isEqualTo(1);
    assertThat(found.state()).isEqualTo(OfferedUpdates.State.NEW);
    heard.clear();
    publishInfo(INFO);
    await().atMost(Duration.ofSeconds(75)).until(() -> heard.contains(host.id()));
    assertThat(offered()).doesNotContainKey(host.id());
  }

  private Map<HostId, OfferedUpdates> offered() {
    return server().repositories().hostOffers().findOfPackage(TestStacks.TENANT, InProcessServer.PACKAGE);
  }

  @Test
  void versionsFollowTheHeartbeats() throws Exception {
    host.sendHeartbeat("1.4.0");
    await().atMost(Duration.ofSeconds(75)).until(() -> version().equals(Optional.of("1.4.0")));

    host.sendHeartbeat("1.5.0");

    await().atMost(Duration.ofSeconds(75)).until(() -> version().equals(Optional.of("1.5.0")));
  }

  @Test
  void heartbeatsOfAStandbyAgentAreIgnored() throws Exception {
    host.sendHeartbeat("1.4.0");
    await().atMost(Duration.ofSeconds(75)).until(() -> version().equals(Optional.of("1.4.0")));

    host.sendHeartbeatInState(State.CUTOVER_READY, "1.4.0");
    host.sendHeartbeatOf("next", State.STANDBY, "1.5.0", true);

    // Of two heartbeats in one batch, only the last one would be written.
    await()
        .atMost(Duration.ofSeconds(75))
        .until(() -> row().flatMap(HostRow::heartbeat).map(HeartbeatRow::state), Optional.of("cutover-ready")::equals);
    assertThat(version()).contains("1.4.0");
    assertThat(server().bean(Presence.class).activeInstance(TestStacks.TENANT, host.id()))
        .map(ReceivedHeartbeat::instance)
        .contains(host.instance());
  }

  @Test
  void malformedInfoIsRejectedAndCounted() throws Exception {
    double before = server().rejectedCount("info");

    publishInfo("{}");

    await().until(() -> server().rejectedCount("info") == before + 1);
  }

  private Optional<HostRow> row() {
    return server().repositories().hosts().find(TestStacks.TENANT, host.id());
  }

  private Optional<String> version() {
    return row().map(HostRow::versions).map(versions -> versions.get(InProcessServer.PACKAGE));
  }

  private void publishInfo(String info) throws Exception {
    Connection nats = TestStacks.connectAsDevice(server().stack(), TestStacks.TENANT);
    try {
      nats.request(Subjects.info(host.subject()), info.getBytes(UTF_8), Duration.ofSeconds(60));
    } finally {
      nats.close();
    }
  }
}
