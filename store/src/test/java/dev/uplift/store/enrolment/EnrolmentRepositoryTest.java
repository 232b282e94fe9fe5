package dev.uplift.store.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.ManualClock;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.enrolment.EnrolmentResult.Accepted;
import dev.uplift.store.enrolment.EnrolmentResult.Rejected;
import dev.uplift.store.enrolment.EnrolmentResult.RejectionReason;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class EnrolmentRepositoryTest extends DatabaseScenario {
  private static final HostId LEFT = new HostId("left");
  private static final Duration HOUR = Duration.ofHours(1);

  private EnrolmentRepository enrolments = database.repository(EnrolmentRepository.class);

  @BeforeEach
  void open() {
    enrolments = database.repository(EnrolmentRepository.class);
    database
        .repository(DeviceRepository.class)
        .put(new DeviceSpec(device("site"), hosts("left", "right"), Map.of(), ZoneId.of("UTC")), Precondition.absent());
  }

  @Test
  void aTokenIsValidOnceAndTheRequestMayBeRepeated() {
    invite(LEFT, "t1");
    assertThat(enrolment(tenant)).isEqualTo(EnrolmentStatus.INVITED);

    assertThat(join("t1", "first")).isEqualTo(new Accepted(LEFT, false, false));
    assertThat(join("t1", "first")).isEqualTo(new Accepted(LEFT, false, false));
    enrolments.markCleaned(tenant, key("first"));
    assertThat(join("t1", "first")).isEqualTo(new Accepted(LEFT, true, false));
    assertThat(join("t1", "thief")).isEqualTo(new Rejected(RejectionReason.TOKEN_USED));
    assertThat(enrolment(tenant)).isEqualTo(EnrolmentStatus.ENROLLED);
    assertThat(revoked()).doesNotContain(key("first"));
  }

  @Test
  void anUnknownExpiredOrReplacedTokenIsRejected() {
    assertThat(join("none", "a")).isEqualTo(new Rejected(RejectionReason.TOKEN_UNKNOWN));
    invite(LEFT, "early");
    invite(LEFT, "late");
    assertThat(join("early", "a")).isEqualTo(new Rejected(RejectionReason.TOKEN_UNKNOWN));
    clock.advance(HOUR);
    assertThat(join("late", "a")).isEqualTo(new Rejected(RejectionReason.TOKEN_EXPIRED));
    assertThat(enrolment(tenant)).isEqualTo(EnrolmentStatus.NONE);
  }

  @Test
  void aHostThatIsOnNoDeviceCannotJoin() {
    invite(new HostId("gone"), "t1");
    assertThat(join("t1", "a")).isEqualTo(new Rejected(RejectionReason.NO_SUCH_HOST));
  }

  @Test
  void aTokenOfAnotherTenantIsUnknown() {
    invite(LEFT, "t1");
    String other = newTenant();
    database
        .repository(DeviceRepository.class)
        .put(
            new DeviceSpec(new DeviceId(other, "site"), hosts("left"), Map.of(), ZoneId.of("UTC")),
            Precondition.absent());
    assertThat(enrolments.enrol(other, hash("t1"), key("a"), end()))
        .isEqualTo(new Rejected(RejectionReason.TOKEN_UNKNOWN));
    assertThat(enrolment(other)).isEqualTo(EnrolmentStatus.NONE);
  }

  @Test
  void afterJoiningAgainOnlyTheNewKeyIsValid() {
    invite(LEFT, "t1");
    join("t1", "old");
    invite(LEFT, "t2");
    assertThat(join("t2", "old")).isEqualTo(new Rejected(RejectionReason.KEY_REVOKED));
    assertThat(join("t2", "new")).isEqualTo(new Accepted(LEFT, false, false));

    assertThat(revoked()).contains(key("old")).doesNotContain(key("new"));
    assertThat(enrolments.renew(tenant, LEFT, key("old"), end())).isEqualTo(new Rejected(RejectionReason.KEY_REVOKED));
    assertThat(join("t1", "old")).isEqualTo(new Rejected(RejectionReason.KEY_REVOKED));
  }

  @Test
  void aHostHasAValidKeyThroughoutARotation() {
    invite(LEFT, "t1");
    join("t1", "old");
    enrolments.markCleaned(tenant, key("old"));
    assertThat(enrolments.requestRotation(tenant, LEFT)).isTrue();
    assertThat(enrolments.renew(tenant, LEFT, key("old"), end())).isEqualTo(new Accepted(LEFT, true, true));

    clock.advance(Duration.ofSeconds(1));
    for (int again = 0; again < 2; again++) {
      assertThat(enrolments.rotate(tenant, LEFT, key("old"), key("new"), end()))
          .isEqualTo(new Accepted(LEFT, true, false));
    }
    assertThat(revoked()).doesNotContain(key("old"));

    // The old key may renew once more; the first use of the new one revokes the old one.
    enrolments.renew(tenant, LEFT, key("old"), end());
    assertThat(revoked()).doesNotContain(key("new"));
    assertThat(enrolments.renew(tenant, LEFT, key("new"), end())).isEqualTo(new Accepted(LEFT, true, false));
    assertThat(revoked()).contains(key("old")).doesNotContain(key("new"));
  }

  @Test
  void onlyTheLastRequestedKeyIsValidNextToTheCurrentOne() {
    invite(LEFT, "t1");
    join("t1", "stolen");
    clock.advance(Duration.ofSeconds(1));
    rotate("stolen", "of the thief");
    clock.advance(Duration.ofSeconds(1));
    rotate("stolen", "of the host");
    assertThat(revoked()).containsExactly(key("of the thief"));

    // The later one is revoked, and notices; the two cannot coexist.
    rotate("stolen", "of the thief again");
    assertThat(enrolments.renew(tenant, LEFT, key("of the host"), end()))
        .isEqualTo(new Rejected(RejectionReason.KEY_REVOKED));
    enrolments.renew(tenant, LEFT, key("of the thief again"), end());
    assertThat(revoked()).containsExactlyInAnyOrder(key("of the thief"), key("of the host"), key("stolen"));
  }

  @Test
  void aRotationDoesNotHideAPendingCleanup() {
    invite(LEFT, "t1");
    join("t1", "first");
    assertThat(rotate("first", "second")).isEqualTo(new Accepted(LEFT, false, false));
    enrolments.markCleaned(tenant, key("second"));
    assertThat(rotate("second", "third")).isEqualTo(new Accepted(LEFT, true, false));
  }

  @Test
  void rotationsAreOrderedAlthoughTheServersClocksDiffer() {
    var fast = new ManualClock();
    fast.advance(HOUR.dividedBy(2));
    invite(LEFT, "t1");
    try (Database ahead = Database.open(settings, fast)) {
      ahead.repository(EnrolmentRepository.class).enrol(tenant, hash("t1"), key("old"), end());
    }

    rotate("old", "new");
    enrolments.renew(tenant, LEFT, key("old"), end());
    assertThat(revoked()).isEmpty();
    enrolments.renew(tenant, LEFT, key("new"), end());
    assertThat(revoked()).containsExactly(key("old"));
  }

  @Test
  void tooManyRotationsInADayAreRejected() {
    invite(LEFT, "t1");
    join("t1", "key 0");
    enrolments.markCleaned(tenant, key("key 0"));
    int taken = 0;
    while (taken < 100 && rotate("key " + taken, "key " + (taken + 1)) instanceof Accepted) {
      enrolments.renew(tenant, LEFT, key("key " + ++taken), end());
    }

    assertThat(taken).isBetween(4, 99);
    assertThat(rotate("key " + taken, "one more")).isEqualTo(new Rejected(RejectionReason.TOO_MANY_KEYS));
    assertThat(enrolments.renew(tenant, LEFT, key("key " + taken), end())).isEqualTo(new Accepted(LEFT, true, false));
    clock.advance(Duration.ofDays(1));
    assertThat(rotate("key " + taken, "one more")).isEqualTo(new Accepted(LEFT, true, false));
  }

  @Test
  void aKeyIsValidForItsOwnHostOnly() {
    invite(LEFT, "t1");
    join("t1", "a");
    HostId right = new HostId("right");
    assertThat(enrolments.renew(tenant, right, key("a"), end())).isEqualTo(new Rejected(RejectionReason.KEY_UNKNOWN));
    invite(right, "t2");
    assertThat(join("t2", "a")).isEqualTo(new Rejected(RejectionReason.KEY_REVOKED));
    join("t2", "b");
    assertThat(enrolments.rotate(tenant, right, key("b"), key("a"), end()))
        .isEqualTo(new Rejected(RejectionReason.KEY_UNKNOWN));
  }

  @Test
  void aRevokedKeyIsListedUntilItsLastJwtExpires() {
    invite(LEFT, "t1");
    join("t1", "a");
    invite(LEFT, "t2");
    assertThat(enrolments.revoke(tenant, LEFT, "ann")).isEqualTo(1);
    assertThat(enrolments.revoke(tenant, LEFT, "ann")).isZero();

    assertThat(enrolment(tenant)).isEqualTo(EnrolmentStatus.REVOKED);
    assertThat(join("t2", "b")).isEqualTo(new Rejected(RejectionReason.TOKEN_UNKNOWN));
    assertThat(revoked()).contains(key("a"));
    // And a little longer, because NATS' clock may be behind.
    clock.advance(Duration.ofDays(30));
    assertThat(revoked()).contains(key("a"));
    clock.advance(HOUR);
    assertThat(revoked()).doesNotContain(key("a"));
  }

  @Test
  void keysWithExpiringJwtsAreCountedUnlessRenewedOrRevoked() {
    for (String host : List.of("left", "right")) {
      invite(new HostId(host), host);
      join(host, host);
    }
    assertThat(endSoon()).isZero();
    clock.advance(Duration.ofDays(25));
    long both = endSoon();

    enrolments.renew(tenant, LEFT, key("left"), end());
    assertThat(endSoon()).isEqualTo(both - 1);
    enrolments.revoke(tenant, new HostId("right"), "ann");
    assertThat(endSoon()).isEqualTo(both - 2);
  }

  private long endSoon() {
    return enrolments.countExpiring(clock.instant().plus(Duration.ofDays(7)));
  }

  @Test
  void aTenantThatDoesNotExistHasNoTokens() {
    assertThatThrownBy(
            () -> enrolments.createToken(new EnrolmentToken("unknown", LEFT, hash("t"), "ann", clock.instant())))
        .isInstanceOf(NoSuchTenant.class);
  }

  private void invite(HostId host, String token) {
    enrolments.createToken(new EnrolmentToken(tenant, host, hash(token), "ann", clock.instant().plus(HOUR)));
  }

  /// Returns the status of the host `left`, which must be the same in all lists.
  private EnrolmentStatus enrolment(String of) {
    var hostRepository = database.repository(HostRepository.class);
    EnrolmentStatus found = hostRepository.find(of, LEFT).orElseThrow().enrolment();
    assertThat(hostRepository.list(of, PageRequest.first(10)).rows().getFirst().enrolment()).isEqualTo(found);
    assertThat(hostRepository.findByDevices(of, List.of("site")).values().iterator().next().getFirst().enrolment())
        .isEqualTo(found);
    return found;
  }

  private EnrolmentResult join(String token, String key) {
    return enrolments.enrol(tenant, hash(token), key(key), end());
  }

  private EnrolmentResult rotate(String key, String next) {
    return enrolments.rotate(tenant, LEFT, key(key), key(next), end());
  }

  /// Returns the revoked keys of this tenant.
  private List<String> revoked() {
    return enrolments.listRevoked().stream()
        .map(RevokedKey::key)
        .filter(each -> each.endsWith(" of " + tenant))
        .toList();
  }

  private Instant end() {
    return clock.instant().plus(Duration.ofDays(30));
  }

  private static String hash(String token) {
    return "hash of " + token;
  }

  /// Returns a name for this tenant, because other tests use the same tables.
  private String key(String name) {
    return name + " of " + tenant;
  }
}
