package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.temporaldev.stack.JoinCommandResult;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import dev.uplift.testservers.TestServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// Every key is rotated while upgrades run, on a host that works and on one that is off.
@Timeout(300)
final class SigningKeyRotationTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final Stack stack = TestServers.stack().open();

  @AfterEach
  void endAll() {
    stack.close();
  }

  @Test
  void upgradesContinueWhileEveryKeyIsRotatedEvenOnAHostThatWasOff() throws Exception {
    stack
        .server()
        .environment("UPLIFT_TIMEOUTS_RESEND_INTERVAL", "PT3S")
        .environment("UPLIFT_TIMEOUTS_MAX_RESEND_INTERVAL", "PT3S")
        .environment("UPLIFT_TIMEOUTS_RETRY_BACKOFF", "PT1S");
    stack.start();
    TestRestClient rest = new TestRestClient(stack, "acme");
    TenantKeys keys = new TenantKeys(stack, rest, "acme");
    SigningKey oldRelease = keys.newest(TrustRoot.Role.RELEASE);
    RebootUpgradeScenario busy = RebootUpgradeScenario.in(stack, rest, "busy");
    RebootUpgradeScenario off = RebootUpgradeScenario.in(stack, rest, "off");
    busy.os().hold(ScriptedOs.HoldableVerb.upgrade);
    busy.startUpgrade();
    busy.awaitEffect("upgrade 1.5.0");
    off.host().powerOff();
    off.startUpgrade();
    await("a command waits for the host").atMost(TIMEOUT).until(() -> hasCommand(rest, "off"));

    keys.addKeyToEachRole(stack.secrets().commandKeysFolder().resolve("2.pem"));
    keys.resignRelease("os", "1.5.0");
    keys.keepOnlyNewest();
    busy.os().release(ScriptedOs.HoldableVerb.upgrade);
    off.host().powerOn();

    assertUpgraded(busy);
    assertUpgraded(off, "boot 1.4.0");
    for (RebootUpgradeScenario site : new RebootUpgradeScenario[] {busy, off}) {
      TrustRoot trustRoot = TrustRoot.read(Files.readAllBytes(site.host().stateFolder().resolve("root.json")));
      assertThat(trustRoot.version()).isEqualTo(keys.version()).isEqualTo(3);
    }
    assertThatANewHostTrustsTheNewest(rest, keys);
    String late = rest.get("releases/os/1.5.0").body().path("release").asString();
    String forged = late.replace("1.5.0", "1.6.0").replace("150", "160");
    rest.publish(forged, signed(oldRelease, forged)).expectStatus(422);
    assertTwoReleaseKeysAreRequired(rest, keys, busy, forged);
  }

  /// @param release a newer one, not signed yet
  private static void assertTwoReleaseKeysAreRequired(
      TestRestClient rest, TenantKeys keys, RebootUpgradeScenario site, String release) {
    rest.publish(release, signed(keys.newest(TrustRoot.Role.RELEASE), release)).expectStatus(201);
    site.host().powerOff();
    rest.startUpgrade("one-key", "busy", "os", "1.6.0").expectStatus(201);
    await("a command waits for the host").atMost(TIMEOUT).until(() -> hasCommand(rest, "one-key"));

    keys.requireTwoReleaseKeys();
    String later = release.replace("1.6.0", "1.7.0").replace("160", "170");
    rest.publish(later, signed(keys.newest(TrustRoot.Role.RELEASE), later)).expectStatus(422);
    rest.startUpgrade("refused", "off", "os", "1.6.0").expectStatus(422);
    site.host().powerOn();

    assertThat(ended(rest, "one-key")).contains("prepare-failed", "release-untrusted");
    assertThat(site.os().effects()).doesNotContain("prepare 1.6.0");
    keys.resignRelease("os", "1.6.0");
    rest.startUpgrade("two-keys", "busy", "os", "1.6.0").expectStatus(201);
    assertThat(ended(rest, "two-keys")).contains("\"upgraded\"");
    assertThat(site.os().effects()).endsWith("prepare 1.6.0", "upgrade 1.6.0", "boot 1.6.0");
  }

  private static String ended(TestRestClient rest, String upgrade) {
    await(upgrade).atMost(TIMEOUT).until(() -> !rest.outcome(upgrade).isEmpty());
    return rest.upgrade(upgrade).toString();
  }

  private static String signed(SigningKey key, String release) {
    return key.sign(SignatureDomain.RELEASE, release.getBytes(UTF_8));
  }

  /// The host has never received an earlier root.
  private void assertThatANewHostTrustsTheNewest(TestRestClient rest, TenantKeys keys) throws Exception {
    rest.putDevice("late", "late");
    StackHost stackHost = stack.host("acme", "late").withPackage("shopd", "simulated", Map.of("version", "1.0"));
    String token =
        rest.call("POST", "devices/late/hosts/late/enrolments", Map.of())
            .expectStatus(201)
            .body()
            .path("token")
            .asString();
    JoinCommandResult joinCommandResult = stackHost.join(token);
    assertThat(joinCommandResult.exitCode()).as(joinCommandResult.output()).isZero();
    Path trusted = stackHost.folder().resolve("identity/trust/root.json");
    assertThat(TrustRoot.read(Files.readAllBytes(trusted)).version()).isEqualTo(keys.version());
    stackHost.start();
    String release =
        new String(
            new ReleaseManifest(
                    "shopd",
                    "simulated",
                    "2.0",
                    20,
                    Optional.empty(),
                    new TreeMap<>(),
                    List.of(),
                    Instant.parse("2026-03-01T12:00:00Z"))
                .write(),
            UTF_8);
    SigningKey key = keys.newest(TrustRoot.Role.RELEASE);
    rest.publish(release, key.sign(SignatureDomain.RELEASE, release.getBytes(UTF_8))).expectStatus(200, 201);

    rest.startUpgrade("u-late", "late", "shopd", "2.0").expectStatus(201);

    await().atMost(TIMEOUT).until(() -> rest.outcome("u-late").equals("upgraded"));
  }

  private static boolean hasCommand(TestRestClient rest, String upgrade) {
    return rest.upgrade(upgrade)
        .path("timeline")
        .valueStream()
        .anyMatch(entry -> entry.path("step").asString("").equals("prepare"));
  }

  /// @param before the effects on the host before its upgrade
  private static void assertUpgraded(RebootUpgradeScenario site, String... before) {
    JsonNode end = site.awaitEnd();
    assertThat(end.path("outcome").asString()).as(end.toPrettyString()).isEqualTo("upgraded");
    List<String> all = new ArrayList<>(List.of(before));
    all.addAll(RebootUpgradeScenario.EACH_ONCE);
    assertThat(site.os().effects()).containsExactlyElementsOf(all);
  }
}
