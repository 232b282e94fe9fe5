package dev.uplift.temporaldev.night;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class NightFleetTest {
  @Test
  void aSeedIsAlwaysTheSameFleet() {
    assertThat(NightFleet.of(7, 2000)).isEqualTo(NightFleet.of(7, 2000)).isNotEqualTo(NightFleet.of(8, 2000));
  }

  @Test
  void ofTwoThousandDevicesThreePercentAreOffTwoPercentDeclineAndOneFails() {
    assertThat(behaviours(NightFleet.of(1, 2000)))
        .isEqualTo(
            Map.of(
                HostBehaviour.UPGRADES, 1400L,
                HostBehaviour.REBOOTS, 400L,
                HostBehaviour.RETRIES, 40L,
                HostBehaviour.DECLINES, 40L,
                HostBehaviour.FAILS, 20L,
                HostBehaviour.LOSES_CONNECTION, 40L,
                HostBehaviour.COMES_BACK, 30L,
                HostBehaviour.STAYS_OFF, 30L));
  }

  @Test
  void theExpectedTableIsThatOfTheBehaviours() {
    NightFleet fleet = NightFleet.of(1, 2000);

    Map<String, Long> outcomes =
        fleet.expectedOutcomes().values().stream().collect(groupingBy(word -> word, TreeMap::new, counting()));

    assertThat(outcomes).isEqualTo(Map.of("upgraded", 1910L, "declined", 40L, "rolled-back", 20L, "offline", 30L));
    assertThat(fleet.expectedOutcomes())
        .containsEntry(fleet.with(HostBehaviour.STAYS_OFF).getFirst().name(), "offline");
    assertThat(fleet.countStarted()).isEqualTo(1970);
  }

  @Test
  void theSmallestFleetHasEveryBehaviourAndRegion() {
    for (long seed = 0; seed < 100; seed++) {
      NightFleet fleet = NightFleet.of(seed, NightFleet.MIN_DEVICES);

      assertThat(behaviours(fleet)).as("seed " + seed).containsOnlyKeys(HostBehaviour.values());
      assertThat(fleet.devices().stream().map(NightDevice::region).distinct()).hasSizeGreaterThanOrEqualTo(4);
    }
  }

  private static Map<HostBehaviour, Long> behaviours(NightFleet fleet) {
    return fleet.devices().stream().collect(groupingBy(NightDevice::behaviour, counting()));
  }

  /// Otherwise the first wave would rightly stop the rollout.
  @Test
  void canariesProveTheRelease() {
    for (int devices : List.of(NightFleet.MIN_DEVICES, 80, 2000)) {
      LongStream.range(0, 300)
          .forEach(seed -> {
            List<NightDevice> canaries =
                NightFleet.of(seed, devices).devices().stream().filter(NightDevice::isCanary).toList();

            assertThat(canaries).allMatch(canary -> canary.region() == NightRegion.PACIFIC);
            long succeeding = count(canaries, "upgraded");
            assertThat(succeeding).as("%d devices, seed %d", devices, seed).isPositive();
            assertThat(succeeding).isGreaterThanOrEqualTo(count(canaries, "rolled-back"));
          });
    }
  }

  private static long count(List<NightDevice> devices, String outcome) {
    return devices.stream().filter(device -> device.expectedOutcome().equals(outcome)).count();
  }

  @Test
  void hostsOfABehaviourHaveConsecutiveNumbers() {
    NightFleet fleet = NightFleet.of(3, 200);

    for (HostBehaviour behaviour : HostBehaviour.values()) {
      List<Integer> numbers = fleet.with(behaviour).stream().map(NightDevice::hostNumber).toList();
      assertThat(numbers)
          .containsExactlyElementsOf(
              IntStream.range(0, numbers.size()).map(i -> numbers.getFirst() + i).boxed().toList());
    }
    assertThat(fleet.devices().stream().map(NightDevice::host)).doesNotHaveDuplicates();
  }

  @Test
  void windowsOpenOneAfterTheOtherAtFullMinutesOfLocalTime() {
    Instant evening = Instant.parse("2026-11-23T21:17:42Z");

    assertThat(
            Arrays.stream(NightRegion.values())
                .map(region -> region + " " + region.localTime(region.opening(evening, Duration.ofMinutes(8)))))
        .containsExactly("pacific 08:17", "asia 02:49", "europe 22:21", "africa 22:23", "america 16:25");
  }
}
