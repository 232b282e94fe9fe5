package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.HostId;
import dev.uplift.store.Joined.Admitted;
import dev.uplift.store.Joined.Denied;
import dev.uplift.store.Joined.Why;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class EnrolmentsTest extends OnBothDatabases {
  private static final HostId LEFT = new HostId("left");
  private static final Duration HOUR = Duration.ofHours(1);

  private Enrolments enrolments = new Enrolments(database, clock);

  @BeforeEach
  void open() {
    enrolments = new Enrolments(database, clock);
    new Devices(database, clock)
        .put(
            new DeviceSpec(device("site"), hosts("left", "right"), Map.of(), ZoneId.of("UTC")),
            Expected.absent());
  }

  @Test
  void aTokenIsGoodOnceAndItsAnswerCanBeAskedForAgain() {
    invite(LEFT, "t1");
    assertThat(enrolments.of(tenant, LEFT)).isEqualTo(Enrolment.INVITED);

    assertThat(join("t1", "first")).isEqualTo(new Admitted(LEFT, false, false));
    assertThat(join("t1", "first")).isEqualTo(new Admitted(LEFT, false, false));
    enrolments.settle(tenant, key("first"));
    assertThat(join("t1", "first")).isEqualTo(new Admitted(LEFT, true, false));
    assertThat(join("t1", "thief")).isEqualTo(new Denied(Why.TOKEN_USED));
    assertThat(enrolments.of(tenant, LEFT)).isEqualTo(Enrolment.ENROLLED);
    assertThat(revoked()).doesNotContain(key("first"));
  }

  @Test
  void aTokenThatIsUnknownExpiredOrReplacedLetsNobodyIn() {
    assertThat(join("none", "a")).isEqualTo(new Denied(Why.TOKEN_UNKNOWN));
    invite(LEFT, "early");
    invite(LEFT, "late");
    assertThat(join("early", "a")).isEqualTo(new Denied(Why.TOKEN_UNKNOWN));
    clock.pass(HOUR);
    assertThat(join("late", "a")).isEqualTo(new Denied(Why.TOKEN_EXPIRED));
    assertThat(enrolments.of(tenant, LEFT)).isEqualTo(Enrolment.NONE);
  }

  @Test
  void aHostThatIsOnNoDeviceAnyMoreDoesNotJoin() {
    invite(new HostId("gone"), "t1");
    assertThat(join("t1", "a")).isEqualTo(new Denied(Why.NO_SUCH_HOST));
  }

  @Test
  void aTokenOfAnotherTenantIsUnknown() {
    invite(LEFT, "t1");
    String other = newTenant();
    assertThat(enrolments.join(other, hash("t1"), key("a"), end()))
        .isEqualTo(new Denied(Why.TOKEN_UNKNOWN));
    assertThat(enrolments.of(other, LEFT)).isEqualTo(Enrolment.NONE);
  }

  @Test
  void whoJoinsAnewHasOneKeyAndTheOldOneIsNeverGoodAgain() {
    invite(LEFT, "t1");
    join("t1", "old");
    invite(LEFT, "t2");
    assertThat(join("t2", "old")).isEqualTo(new Denied(Why.KEY_REVOKED));
    assertThat(join("t2", "new")).isEqualTo(new Admitted(LEFT, false, false));

    assertThat(revoked()).contains(key("old")).doesNotContain(key("new"));
    assertThat(enrolments.renew(tenant, LEFT, key("old"), end()))
        .isEqualTo(new Denied(Why.KEY_REVOKED));
    assertThat(join("t1", "old")).isEqualTo(new Denied(Why.KEY_REVOKED));
  }

  @Test
  void aKeyIsExchangedWithoutATimeWithoutOne() {
    invite(LEFT, "t1");
    join("t1", "old");
    enrolments.settle(tenant, key("old"));
    assertThat(enrolments.wantRotation(tenant, LEFT)).isTrue();
    assertThat(enrolments.renew(tenant, LEFT, key("old"), end()))
        .isEqualTo(new Admitted(LEFT, true, true));

    clock.pass(Duration.ofSeconds(1));
    for (int again = 0; again < 2; again++) {
      assertThat(enrolments.rotate(tenant, LEFT, key("old"), key("new"), end()))
          .isEqualTo(new Admitted(LEFT, true, false));
    }
    assertThat(revoked()).doesNotContain(key("old"));

    // The old one may ask once more, and the new one may be used first; the new one ends the old.
    enrolments.renew(tenant, LEFT, key("old"), end());
    assertThat(revoked()).doesNotContain(key("new"));
    assertThat(enrolments.renew(tenant, LEFT, key("new"), end()))
        .isEqualTo(new Admitted(LEFT, true, false));
    assertThat(revoked()).contains(key("old")).doesNotContain(key("new"));
  }

  @Test
  void aKeyIsGoodForItsOwnHostAlone() {
    invite(LEFT, "t1");
    join("t1", "a");
    HostId right = new HostId("right");
    assertThat(enrolments.renew(tenant, right, key("a"), end()))
        .isEqualTo(new Denied(Why.KEY_UNKNOWN));
    invite(right, "t2");
    assertThat(join("t2", "a")).isEqualTo(new Denied(Why.KEY_REVOKED));
    join("t2", "b");
    assertThat(enrolments.rotate(tenant, right, key("b"), key("a"), end()))
        .isEqualTo(new Denied(Why.KEY_UNKNOWN));
  }

  @Test
  void whatIsRevokedIsListedUntilItsLastTicketEnds() {
    invite(LEFT, "t1");
    join("t1", "a");
    invite(LEFT, "t2");
    assertThat(enrolments.revoke(tenant, LEFT, "ann")).isEqualTo(1);
    assertThat(enrolments.revoke(tenant, LEFT, "ann")).isZero();

    assertThat(enrolments.of(tenant, LEFT)).isEqualTo(Enrolment.REVOKED);
    assertThat(join("t2", "b")).isEqualTo(new Denied(Why.TOKEN_UNKNOWN));
    assertThat(revoked()).contains(key("a"));
    clock.pass(Duration.ofDays(31));
    assertThat(revoked()).doesNotContain(key("a"));
  }

  @Test
  void aTenantThatDoesNotExistInvitesNobody() {
    assertThatThrownBy(() ->
            enrolments.invite(new Invitation("nobody", LEFT, hash("t"), "ann", clock.instant())))
        .isInstanceOf(NoSuchTenant.class);
  }

  private void invite(HostId host, String token) {
    enrolments.invite(new Invitation(tenant, host, hash(token), "ann", clock.instant().plus(HOUR)));
  }

  private Joined join(String token, String key) {
    return enrolments.join(tenant, hash(token), key(key), end());
  }

  private java.util.List<String> revoked() {
    return enrolments.revoked().stream().map(Revoked::key).toList();
  }

  private Instant end() {
    return clock.instant().plus(Duration.ofDays(30));
  }

  private static String hash(String token) {
    return "hash of " + token;
  }

  /// Other tests use the same tables.
  private String key(String name) {
    return name + " of " + tenant;
  }
}
