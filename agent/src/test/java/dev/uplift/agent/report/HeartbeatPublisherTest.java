package dev.uplift.agent.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.driver.AgentState;
import dev.uplift.agent.driver.HostPackage;
import dev.uplift.agent.journal.OwnerHolds;
import dev.uplift.agent.journal.PackageHalts;
import dev.uplift.agent.transport.Reply;
import dev.uplift.agent.transport.Transport;
import dev.uplift.agent.trust.RejectionCounter;
import dev.uplift.agent.trust.TrustStore;
import dev.uplift.agent.trust.TrustedTimeFloor;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.TrustRoot.RoleKeys;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.signature.TrustedKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class HeartbeatPublisherTest {
  private final List<AgentInfo> infos = new CopyOnWriteArrayList<>();
  private final ChangingPackages packages = new ChangingPackages();
  private final AgentState agentState = new AgentState();
  private final HostContext hostContext =
      new HostContext("acme", "left", "instance-1", "boot-1", "0.1.0", "x86_64", packages, agentState);

  private final HeartbeatPublisher publisher =
      new HeartbeatPublisher(
          hostContext,
          new InfoRecorder(),
          new ServerClock(System::nanoTime, TrustedTimeFloor.inMemory()),
          new PackageMeasurements(packages, Duration.ofSeconds(5)),
          new RejectionCounter(),
          TrustStore.inMemory(root()),
          new HeartbeatPublisher.InstallBans(OwnerHolds.none(), PackageHalts.inMemory()));

  @Test
  void whatChangesWhileAnInfoIsWrittenIsPublished() throws Exception {
    packages.onSecondRead = () -> agentState.setUpgradeError("no space left");

    var _ = publisher.publishInfo();
    Thread heartbeats = Thread.ofVirtual().start(() -> publisher.run(Duration.ofMillis(10)));

    try {
      await().until(() -> infos.getLast().upgradeError().equals("no space left"));
    } finally {
      heartbeats.interrupt();
      heartbeats.join();
    }
  }

  private static TrustRoot root() {
    var keys = new TreeMap<String, TrustedKey>();
    var roles = new EnumMap<Role, RoleKeys>(Role.class);
    for (Role role : Role.values()) {
      SigningKey key = SigningKey.generate();
      keys.put(key.keyId(), key.trustedKey());
      roles.put(role, new RoleKeys(1, List.of(key.keyId())));
    }
    return new TrustRoot("acme", 1, Instant.parse("2027-03-29T01:30:00Z"), keys, roles);
  }

  /// No packages, and a change at the moment when they are read for the second time.
  private static final class ChangingPackages extends TreeMap<String, HostPackage> {
    private static final long serialVersionUID = 1;

    private transient Runnable onSecondRead = () -> {};
    private transient int reads;

    @Override
    public Collection<HostPackage> values() {
      if (++reads == 2) {
        onSecondRead.run();
      }
      return super.values();
    }
  }

  /// Stores each info.
  private final class InfoRecorder implements Transport {
    @Override
    public void publish(String subject, byte[] body) {}

    @Override
    public Reply request(String subject, Map<String, String> headers, byte[] body) {
      infos.add(AgentInfo.read(body));
      return new Reply(Reply.OK, Map.of(), "{\"stream\":\"S\",\"seq\":1}".getBytes(UTF_8));
    }

    @Override
    public void subscribe(String subject, Listener listener) {}

    @Override
    public void unsubscribe(String subject) {}
  }
}
