package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandDraft;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.Result;
import dev.uplift.protocol.Root;
import dev.uplift.protocol.SignedRoot;
import dev.uplift.protocol.SigningKey;
import dev.uplift.protocol.TrustedKey;
import dev.uplift.temporaldev.Host;
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

/// A thief has all that the server has: its command key, its user at NATS, every release that was
/// ever published. The agent is a process, the server is the thief.
@Timeout(240)
final class StolenKeyTest {
  private Site site;
  private Host host;

  @BeforeEach
  void steal() throws Exception {
    site = Site.open();
    host = site.host("prey");
    host.start();
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void thiefBringsNothingThatTheReleaseKeysHaveNotSignedForThisTenant() throws Exception {
    // 1.5.0 is the 42nd release, and the host has it.
    assertThat(answer(site.draft(Action.PREPARE))).isEqualTo(new Result.Done());
    assertThat(answer(site.draft(Action.UPGRADE))).isEqualTo(new Result.Done());
    ReleaseManifest own = release("", "6.6.6", 666);
    ReleaseManifest older = release("", "1.3.0", 30);
    ReleaseManifest foreign = release("other", "1.6.0", 43);
    SigningKey otherTenants = SigningKey.generate();

    assertThat(code(signed(own, site.commandKey()))).isEqualTo("release-untrusted");
    assertThat(code(signed(own, SigningKey.generate()))).isEqualTo("release-untrusted");
    assertThat(code(unsigned(own))).isEqualTo("release-untrusted");
    assertThat(code(signed(older, site.releaseKey()).allowDowngrade(true))).isEqualTo("downgrade");
    assertThat(code(signed(release("", "1.6.0", 43), otherTenants))).isEqualTo("release-untrusted");
    assertThat(code(signed(foreign, site.releaseKey()))).isEqualTo("release-mismatch");

    CommandDraft back = site.draft(Action.ROLLBACK, release("", "1.5.0", 42), "1.0");
    assertThat(code(back)).isEqualTo("downgrade");
    assertThat(site.beats(host).getLast().version("shopd")).isEqualTo("1.5.0");
  }

  @Test
  void thiefMakesNoRootAndIsNotBelievedAnyMoreOnceThereIsANewOne() throws Exception {
    SigningKey owner = SigningKey.read(site.stack.secrets().rootKey());
    SigningKey next = SigningKey.generate();

    // The thief's own root, signed with what he has.
    site.keep(2, signed(root(2, site.commandKey(), site.releaseKey(), next), site.commandKey()));
    assertThat(answer(site.draft(Action.PREPARE))).isEqualTo(new Result.Done());
    site.awaitInfo(host, info -> info.refused() == 1 && info.rootVersion() == 1);

    site.keep(2, signed(root(2, owner, site.releaseKey(), next), owner));
    Command stolen = site.send(host, site.draft(Action.UPGRADE));
    site.awaitInfo(host, info -> info.rootVersion() == 2);
    site.awaitInfo(host, info -> info.refused() >= 2);

    assertThat(site.outcomes(stolen)).isEmpty();
    assertThat(Files.readString(host.stateFolder().resolve("root.json"))).contains(next.keyId());
  }

  private static Root root(long version, SigningKey owner, SigningKey release, SigningKey command) {
    var keys = new TreeMap<String, TrustedKey>();
    var roles = new EnumMap<Root.Role, Root.Holders>(Root.Role.class);
    roles.put(Root.Role.ROOT, new Root.Holders(1, List.of(owner.keyId())));
    roles.put(Root.Role.RELEASE, new Root.Holders(1, List.of(release.keyId())));
    roles.put(Root.Role.COMMAND, new Root.Holders(1, List.of(command.keyId())));
    List.of(owner, release, command).forEach(key -> keys.put(key.keyId(), key.trusted()));
    return new Root(Site.TENANT, version, Instant.parse("2999-01-01T00:00:00Z"), keys, roles);
  }

  private static SignedRoot signed(Root root, SigningKey by) {
    return new SignedRoot(
        new String(root.write(), UTF_8), by.sign(Purpose.ROOT, root.write()) + "\n");
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
        Instant.parse("2026-03-01T12:00:00Z"));
  }

  private CommandDraft signed(ReleaseManifest release, SigningKey by) {
    return with(release, by.sign(Purpose.RELEASE, release.write()));
  }

  private CommandDraft unsigned(ReleaseManifest release) {
    return with(release, "none");
  }

  private CommandDraft with(ReleaseManifest release, String signature) {
    return site.draft(Action.PREPARE, release)
        .release(new String(release.write(), UTF_8), signature);
  }

  private Result answer(CommandDraft draft) throws Exception {
    return ((Event.Outcome) site.outcome(site.send(host, draft)).said()).result();
  }

  private String code(CommandDraft draft) throws Exception {
    return ((Result.Failed) answer(draft)).code();
  }
}
