package dev.uplift.store.device;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.OfferedUpdates;
import dev.uplift.fleet.OfferedUpdates.State;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.upgrade.FailureRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HostOfferRepositoryTest extends DatabaseScenario {
  private static final HostId LEFT = new HostId("left");
  private static final Release RELEASE = new Release("os", "12");

  private HostOfferRepository offers = database.repository(HostOfferRepository.class);
  private HostRepository hosts = database.repository(HostRepository.class);
  private UpgradeRepository upgrades = database.repository(UpgradeRepository.class);
  private final FailureRepository failures = database.repository(FailureRepository.class);

  @BeforeEach
  void open() {
    offers = database.repository(HostOfferRepository.class);
    hosts = database.repository(HostRepository.class);
    upgrades = database.repository(UpgradeRepository.class);
    database
        .repository(DeviceRepository.class)
        .put(
            new DeviceSpec(new DeviceId(tenant, "site"), List.of(LEFT), Map.of(), ZoneOffset.UTC, ""),
            Precondition.absent());
  }

  @Test
  void anOfferIsAsOldAsItsDigest() {
    Instant first = clock.instant();
    assertThat(tell("12", offer("one", 3))).isEqualTo(RecordedInfo.CHANGED);
    assertThat(tell("12", offer("one", 3))).isEqualTo(RecordedInfo.RECORDED);

    assertThat(ofSite()).isEqualTo(new OfferedUpdates(3, 1, first, State.NEW));
    Instant second = clock.instant();
    assertThat(tell("12", offer("two", 2))).isEqualTo(RecordedInfo.CHANGED);
    assertThat(ofSite()).isEqualTo(new OfferedUpdates(2, 1, second, State.NEW));
  }

  @Test
  void whatIsNotSaidAnyMoreIsForgottenUnlessItCannotBeMeasured() {
    tell("12", offer("one", 3));

    assertThat(tell("unknown")).isEqualTo(RecordedInfo.RECORDED);
    assertThat(ofSite().updates()).isEqualTo(3);
    assertThat(tell("12")).isEqualTo(RecordedInfo.CHANGED);
    assertThat(offers.findByDeviceRange(tenant, "os", "site", "site")).isEmpty();
  }

  @Test
  void anOlderInfoAndAnotherMachineChangeNothingAndEverything() {
    tell("12", offer("one", 3));
    hosts.recordInfo(
        tenant, LEFT, info("12", clock.instant().minus(Duration.ofHours(1))), List.of(), List.of(offer("two", 2)));
    assertThat(ofSite().updates()).isEqualTo(3);

    hosts.clearReports(tenant, LEFT);

    assertThat(offers.findByDeviceRange(tenant, "os", "site", "site")).isEmpty();
  }

  @Test
  void theEndOfTheUpgradeThatTriedItSaysWhatHasBecomeOfAnOffer() {
    tell("12", offer("one", 3));
    begin("u-1");
    assertThat(ofSite().state()).as("it runs").isEqualTo(State.NEW);
    end("u-1", Outcome.UPGRADED, "");
    assertThat(ofSite().state()).isEqualTo(State.TAKEN);

    tell("12", offer("", 0));
    tell("12", offer("one", 3));
    assertThat(ofSite().state()).as("the same again").isEqualTo(State.TAKEN);
    tell("12", offer("two", 3));
    assertThat(ofSite().state()).isEqualTo(State.NEW);
    begin("u-2");
    end("u-2", Outcome.EXPIRED, "deadline");
    assertThat(ofSite().state()).as("nothing was tried").isEqualTo(State.NEW);
    begin("u-3");
    end("u-3", Outcome.PARTIAL, "error");
    assertThat(ofSite().state()).isEqualTo(State.FAILED);
    failures.clearFailures(new DeviceId(tenant, "site"), RELEASE);
    assertThat(ofSite().state()).isEqualTo(State.NEW);
    offers.recordUpgrade(tenant, List.of(LEFT), "os", "long-ago");
    assertThat(ofSite().state()).as("it is in the archive").isEqualTo(State.TAKEN);
  }

  @Test
  void ofAPackageTheHostsAreFoundThatAreOfferedSomething() {
    tell("12", offer("one", 3));
    hosts.recordInfo(
        tenant,
        new HostId("loose"),
        info("12", clock.instant()),
        List.of(),
        List.of(offer("", 0), new HostOffer("till", "two", 1, 0)));

    assertThat(offers.findOfPackage(tenant, "os")).containsOnlyKeys(LEFT);
    assertThat(offers.findOfPackage(tenant, "till")).containsOnlyKeys(new HostId("loose"));
    assertThat(offers.findByDeviceRange(tenant, "till", "a", "z")).as("on no device").isEmpty();
  }

  private OfferedUpdates ofSite() {
    return requireNonNull(offers.findByDeviceRange(tenant, "os", "a", "z").get(LEFT));
  }

  private static HostOffer offer(String digest, int updates) {
    return new HostOffer("os", digest, updates, Math.min(updates, 1));
  }

  private RecordedInfo tell(String version, HostOffer... told) {
    RecordedInfo recorded = hosts.recordInfo(tenant, LEFT, info(version, clock.instant()), List.of(), List.of(told));
    clock.advance(Duration.ofMinutes(1));
    return recorded;
  }

  private static HostInfo info(String version, Instant at) {
    return new HostInfo("{}", "1", "x86_64", List.of(), "boot", "one", "running", Map.of("os", version), at);
  }

  private void begin(String upgrade) {
    var _ =
        upgrades.createIfAbsent(
            new NewUpgrade(upgrade, new DeviceId(tenant, "site"), RELEASE, "ann", "", "run", Optional.empty()));
    offers.recordUpgrade(tenant, List.of(LEFT), "os", upgrade);
  }

  private void end(String upgrade, Outcome outcome, String kind) {
    Optional<UpgradeEnd.EndReason> reason =
        kind.isEmpty() ? Optional.empty() : Optional.of(new UpgradeEnd.EndReason(kind, "code", "final", "text"));
    var _ = upgrades.recordEnd(tenant, upgrade, new UpgradeEnd(outcome, reason, ""));
  }
}
