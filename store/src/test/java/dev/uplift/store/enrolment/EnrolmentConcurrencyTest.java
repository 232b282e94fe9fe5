package dev.uplift.store.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.HostId;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.ManualClock;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Concurrent changes of the keys of a host, and concurrent publications of revocations.
final class EnrolmentConcurrencyTest extends DatabaseScenario {
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

  /// An attacker who rotates again and again must not keep the last key.
  @Test
  void revocationDuringARotationRevokesBothKeys() throws Exception {
    var days = new ManualClock();
    try (Database ofThief = Database.open(settings, days)) {
      revokeWhileRotating(days, ofThief.repository(EnrolmentRepository.class));
    }
  }

  private void revokeWhileRotating(ManualClock days, EnrolmentRepository asked) throws Exception {
    for (int round = 0; round < 30; round++) {
      String first = "first of " + round;
      invite(LEFT, first);
      join(first, first);
      var going = new CountDownLatch(1);
      var over = new CountDownLatch(1);
      Thread thief = Thread.ofVirtual().start(() -> rotateOnAndOn(first, asked, days, going, over));
      assertThat(going.await(60, TimeUnit.SECONDS)).isTrue();
      enrolments.revoke(tenant, LEFT, "ann");
      over.countDown();
      thief.join();

      assertThat(enrolment()).as("round %d", round).isEqualTo(EnrolmentStatus.REVOKED);
    }
  }

  private void rotateOnAndOn(
      String first, EnrolmentRepository asked, ManualClock days, CountDownLatch going, CountDownLatch over) {
    for (int i = 0; over.getCount() > 0; i++) {
      String now = i == 0 ? first : first + " " + i;
      String next = first + " " + (i + 1);
      days.advance(Duration.ofDays(1));
      if (asked.rotate(tenant, LEFT, key(now), key(next), end()) instanceof Rejected) {
        return;
      }
      if (i == 2) {
        going.countDown();
      }
    }
  }

  @Test
  void onlyOneOfTwoConcurrentUsesOfATokenJoins() throws Exception {
    for (int round = 0; round < 20; round++) {
      String token = "token " + round;
      invite(LEFT, token);
      try (var both = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<EnrolmentResult>> answers =
            both.invokeAll(List.of(() -> join(token, token + " a"), () -> join(token, token + " b")));
        assertThat(List.of(answers.getFirst().get(), answers.getLast().get()))
            .containsExactlyInAnyOrder(new Accepted(LEFT, false, false), new Rejected(RejectionReason.TOKEN_USED));
      }
      assertThat(revoked()).hasSize(round);
    }
  }

  @Test
  void aKeyFromAConcurrentRotationIsRevokedToo() throws Exception {
    invite(LEFT, "t1");
    join("t1", "old");

    whileTheOtherWaits(
        () -> enrolments.rotate(tenant, LEFT, key("old"), key("next"), end()),
        () -> enrolments.revoke(tenant, LEFT, "ann"));

    assertThat(enrolments.renew(tenant, LEFT, key("next"), end())).isEqualTo(new Rejected(RejectionReason.KEY_REVOKED));
    assertThat(enrolment()).isEqualTo(EnrolmentStatus.REVOKED);
  }

  @Test
  void aKeyFromARotationDuringAJoinIsRevokedToo() throws Exception {
    invite(LEFT, "t1");
    join("t1", "old");
    invite(LEFT, "t2");

    whileTheOtherWaits(
        () -> enrolments.rotate(tenant, LEFT, key("old"), key("next"), end()), () -> join("t2", "another"));

    assertThat(revoked()).contains(key("old"), key("next")).doesNotContain(key("another"));
  }

  @Test
  void theSecondOfTwoPublishersHasItsTurnAfterTheFirstAndNewRevocations() {
    invite(LEFT, "t1");
    join("t1", "a");
    RevocationList last = enrolments.beginPublication("first", HOUR).orElseThrow().last();

    enrolments.revoke(tenant, LEFT, "ann");
    assertThat(enrolments.beginPublication("second", HOUR)).isEmpty();
    assertThat(enrolments.endPublication("second", last)).isFalse();
    var published = new RevocationList(last.issuedAtSecond() + 1, "published");
    assertThat(enrolments.endPublication("first", published)).isTrue();

    PublicationTurn second = enrolments.beginPublication("second", HOUR).orElseThrow();
    assertThat(second.last()).isEqualTo(published);
    assertThat(second.revoked()).extracting(RevokedKey::key).contains(key("a"));
    enrolments.abandonPublication("second");
  }

  @Test
  void theTurnOfAServerThatIsGoneEndsByItself() {
    RevocationList last = enrolments.beginPublication("gone", HOUR).orElseThrow().last();
    clock.advance(HOUR);
    assertThat(enrolments.beginPublication("next", HOUR)).isEmpty();
    clock.advance(Duration.ofMillis(1));

    assertThat(enrolments.beginPublication("next", HOUR)).isPresent();
    assertThat(enrolments.endPublication("gone", last)).isFalse();
    enrolments.abandonPublication("gone");
    assertThat(enrolments.beginPublication("third", HOUR)).isEmpty();
    enrolments.abandonPublication("next");
  }

  /// Starts the second when the first has done its part but has not ended its transaction, and asserts that the second
  /// waits.
  private static void whileTheOtherWaits(Runnable first, Runnable second) throws Exception {
    try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> follows =
          database.inTransaction(() -> {
            first.run();
            Future<?> begun = other.submit(second);
            assertThatThrownBy(() -> begun.get(300, TimeUnit.MILLISECONDS))
                .as("it waits for the first")
                .isInstanceOf(TimeoutException.class);
            return begun;
          });
      follows.get(60, TimeUnit.SECONDS);
    }
  }

  private void invite(HostId host, String token) {
    enrolments.createToken(new EnrolmentToken(tenant, host, hash(token), "ann", clock.instant().plus(HOUR)));
  }

  private EnrolmentStatus enrolment() {
    return database.repository(HostRepository.class).find(tenant, LEFT).orElseThrow().enrolment();
  }

  private EnrolmentResult join(String token, String key) {
    return enrolments.enrol(tenant, hash(token), key(key), end());
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
