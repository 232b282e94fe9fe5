package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.Root;
import dev.uplift.protocol.SigningKey;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Joined;
import dev.uplift.temporaldev.Stack;
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

/// Every key is exchanged while upgrades are in work, on one host that works and on one that is
/// off.
@Timeout(300)
final class RotationTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Stack stack = Stack.temporary().open();

  @AfterEach
  void endAll() {
    stack.close();
  }

  @Test
  void upgradesGoOnWhileEveryKeyIsExchangedAlsoOnAHostThatWasOffMeanwhile() throws Exception {
    stack
        .server()
        .with("UPLIFT_PACE_RESEND", "PT3S")
        .with("UPLIFT_PACE_RESEND_AT_MOST", "PT3S")
        .with("UPLIFT_PACE_BACK_OFF", "PT1S");
    stack.start();
    RestClient rest = new RestClient(stack, "acme");
    KeyRing keys = new KeyRing(stack, rest, "acme");
    SigningKey oldRelease = keys.newest(Root.Role.RELEASE);
    RebootingSite busy = RebootingSite.in(stack, rest, "busy");
    RebootingSite off = RebootingSite.in(stack, rest, "off");
    busy.os().hold(ScriptedOs.Step.upgrade);
    busy.startUpgrade();
    busy.awaitEffect("upgrade 1.5.0");
    off.host().powerOff();
    off.startUpgrade();
    await("the order waits for the host").atMost(PATIENCE).until(() -> isOrdered(rest, "off"));

    keys.addOneToEach(stack.secrets().commandKeys().resolve("2.pem"));
    keys.signAnew("os", "1.5.0");
    keys.leaveTheNewest();
    busy.os().release(ScriptedOs.Step.upgrade);
    off.host().powerOn();

    assertUpgraded(busy);
    assertUpgraded(off, "boot 1.4.0");
    for (RebootingSite site : new RebootingSite[] {busy, off}) {
      Root root = Root.read(Files.readAllBytes(site.host().stateFolder().resolve("root.json")));
      assertThat(root.version()).isEqualTo(keys.version()).isEqualTo(3);
    }
    assertThatANewHostTrustsTheNewest(rest, keys);
    String late = rest.get("releases/os/1.5.0").body().path("release").asString();
    String forged = late.replace("1.5.0", "1.6.0").replace("150", "160");
    rest.publish(forged, signed(oldRelease, forged)).expect(422);
    assertTwoReleaseKeysHaveToAgree(rest, keys, busy, forged);
  }

  /// @param release a newer one, that nobody has signed yet
  private static void assertTwoReleaseKeysHaveToAgree(
      RestClient rest, KeyRing keys, RebootingSite site, String release) {
    rest.publish(release, signed(keys.newest(Root.Role.RELEASE), release)).expect(201);
    site.host().powerOff();
    rest.start("one-key", "busy", "os", "1.6.0").expect(201);
    await("the order waits for the host").atMost(PATIENCE).until(() -> isOrdered(rest, "one-key"));

    keys.needTwoReleaseKeys();
    String later = release.replace("1.6.0", "1.7.0").replace("160", "170");
    rest.publish(later, signed(keys.newest(Root.Role.RELEASE), later)).expect(422);
    rest.start("refused", "off", "os", "1.6.0").expect(422);
    site.host().powerOn();

    assertThat(ended(rest, "one-key")).contains("prepare-failed", "release-untrusted");
    assertThat(site.os().effects()).doesNotContain("prepare 1.6.0");
    keys.signAnew("os", "1.6.0");
    rest.start("two-keys", "busy", "os", "1.6.0").expect(201);
    assertThat(ended(rest, "two-keys")).contains("\"upgraded\"");
    assertThat(site.os().effects()).endsWith("prepare 1.6.0", "upgrade 1.6.0", "boot 1.6.0");
  }

  private static String ended(RestClient rest, String upgrade) {
    await(upgrade).atMost(PATIENCE).until(() -> !rest.outcome(upgrade).isEmpty());
    return rest.upgrade(upgrade).toString();
  }

  private static String signed(SigningKey key, String release) {
    return key.sign(Purpose.RELEASE, release.getBytes(UTF_8));
  }

  /// It was never told of the roots before.
  private void assertThatANewHostTrustsTheNewest(RestClient rest, KeyRing keys) throws Exception {
    rest.putDevice("late", "late");
    Host host = stack.host("acme", "late").has("shopd", "simulated", Map.of("version", "1.0"));
    String token =
        rest.call("POST", "devices/late/hosts/late/enrolments", Map.of())
            .expect(201)
            .body()
            .path("token")
            .asString();
    Joined joined = host.join(token);
    assertThat(joined.code()).as(joined.said()).isZero();
    Path trusted = host.folder().resolve("identity/trust/root.json");
    assertThat(Root.read(Files.readAllBytes(trusted)).version()).isEqualTo(keys.version());
    host.start();
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
    SigningKey key = keys.newest(Root.Role.RELEASE);
    rest.publish(release, key.sign(Purpose.RELEASE, release.getBytes(UTF_8))).expect(200, 201);

    rest.start("u-late", "late", "shopd", "2.0").expect(201);

    await().atMost(PATIENCE).until(() -> rest.outcome("u-late").equals("upgraded"));
  }

  private static boolean isOrdered(RestClient rest, String upgrade) {
    return rest.upgrade(upgrade)
        .path("timeline")
        .valueStream()
        .anyMatch(entry -> entry.path("step").asString("").equals("prepare"));
  }

  /// @param before what happened to the host before its upgrade
  private static void assertUpgraded(RebootingSite site, String... before) {
    JsonNode end = site.awaitEnd();
    assertThat(end.path("outcome").asString()).as(end.toPrettyString()).isEqualTo("upgraded");
    List<String> all = new ArrayList<>(List.of(before));
    all.addAll(RebootingSite.EACH_ONCE);
    assertThat(site.os().effects()).containsExactlyElementsOf(all);
  }
}
