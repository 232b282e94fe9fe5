package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.signature.TrustedKey;
import dev.uplift.temporaldev.stack.StackHost;
import java.nio.file.Files;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A thief has all that the server has: its command key, its user at NATS, every release that was ever published. The
/// agent is a process, the server is the thief.
@Timeout(240)
final class StolenKeyTest {
  private AgentTestbed testbed;
  private StackHost host;

  @BeforeEach
  void steal() throws Exception {
    testbed = AgentTestbed.open();
    host = testbed.host("prey");
    host.start();
  }

  @AfterEach
  void close() {
    testbed.close();
  }

  @Test
  void thiefBringsNothingThatTheReleaseKeysHaveNotSignedForThisTenant() throws Exception {
    // 1.5.0 is the 42nd release, and the host has it.
    assertThat(answer(testbed.draft(CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());
    assertThat(answer(testbed.draft(CommandAction.UPGRADE))).isEqualTo(new CommandResult.Done());
    ReleaseManifest own = release("", "6.6.6", 666);
    ReleaseManifest older = release("", "1.3.0", 30);
    ReleaseManifest foreign = release("other", "1.6.0", 43);
    SigningKey otherTenants = SigningKey.generate();

    assertThat(code(signed(own, testbed.commandKey()))).isEqualTo("release-untrusted");
    assertThat(code(signed(own, SigningKey.generate()))).isEqualTo("release-untrusted");
    assertThat(code(unsigned(own))).isEqualTo("release-untrusted");
    assertThat(code(signed(older, testbed.releaseKey()).allowDowngrade(true))).isEqualTo("downgrade");
    assertThat(code(signed(release("", "1.6.0", 43), otherTenants))).isEqualTo("release-untrusted");
    assertThat(code(signed(foreign, testbed.releaseKey()))).isEqualTo("release-mismatch");

    TestCommandBuilder back = testbed.draft(CommandAction.ROLLBACK, release("", "1.5.0", 42), "1.0");
    assertThat(code(back)).isEqualTo("downgrade");
    assertThat(testbed.heartbeats(host).getLast().version("shopd")).isEqualTo("1.5.0");
  }

  @Test
  void thiefMakesNoRootAndIsNotBelievedAnyMoreOnceThereIsANewOne() throws Exception {
    SigningKey owner = SigningKey.read(testbed.stack.secrets().rootKeyFile());
    SigningKey next = SigningKey.generate();

    // The thief's own root, signed with what he has.
    testbed.publishRoot(2, signed(root(2, testbed.commandKey(), testbed.releaseKey(), next), testbed.commandKey()));
    assertThat(answer(testbed.draft(CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());
    testbed.awaitInfo(host, info -> info.rejectedMessages() == 1 && info.rootVersion() == 1);

    testbed.publishRoot(2, signed(root(2, owner, testbed.releaseKey(), next), owner));
    Command stolen = testbed.send(host, testbed.draft(CommandAction.UPGRADE));
    testbed.awaitInfo(host, info -> info.rootVersion() == 2);
    testbed.awaitInfo(host, info -> info.rejectedMessages() >= 2);

    assertThat(testbed.outcomes(stolen)).isEmpty();
    assertThat(Files.readString(host.stateFolder().resolve("root.json"))).contains(next.keyId());
  }

  private static TrustRoot root(long version, SigningKey owner, SigningKey release, SigningKey command) {
    var keys = new TreeMap<String, TrustedKey>();
    var roles = new EnumMap<TrustRoot.Role, TrustRoot.RoleKeys>(TrustRoot.Role.class);
    roles.put(TrustRoot.Role.ROOT, new TrustRoot.RoleKeys(1, List.of(owner.keyId())));
    roles.put(TrustRoot.Role.RELEASE, new TrustRoot.RoleKeys(1, List.of(release.keyId())));
    roles.put(TrustRoot.Role.COMMAND, new TrustRoot.RoleKeys(1, List.of(command.keyId())));
    List.of(owner, release, command).forEach(key -> keys.put(key.keyId(), key.trustedKey()));
    return new TrustRoot(AgentTestbed.TENANT, version, Instant.parse("2999-01-01T00:00:00Z"), keys, roles);
  }

  private static SignedTrustRoot signed(TrustRoot trustRoot, SigningKey by) {
    return new SignedTrustRoot(
        new String(trustRoot.write(), UTF_8), by.sign(SignatureDomain.ROOT, trustRoot.write()) + "\n");
  }

  private static ReleaseManifest release(String tenant, String version, long sequence) {
    return new ReleaseManifest(
        tenant,
        "shopd",
        "simulated",
        version,
        sequence,
        Optional.empty(),
        new TreeMap<>(),
        List.of(),
        ReleaseManifest.StepSeconds.NONE,
        Instant.parse("2026-03-01T12:00:00Z"));
  }

  private TestCommandBuilder signed(ReleaseManifest release, SigningKey by) {
    return with(release, by.sign(SignatureDomain.RELEASE, release.write()));
  }

  private TestCommandBuilder unsigned(ReleaseManifest release) {
    return with(release, "none");
  }

  private TestCommandBuilder with(ReleaseManifest release, String signature) {
    return testbed.draft(CommandAction.PREPARE, release).release(new String(release.write(), UTF_8), signature);
  }

  private CommandResult answer(TestCommandBuilder draft) throws Exception {
    return ((Event.Outcome) testbed.outcome(testbed.send(host, draft)).content()).result();
  }

  private String code(TestCommandBuilder draft) throws Exception {
    return ((CommandResult.Failed) answer(draft)).code();
  }
}
