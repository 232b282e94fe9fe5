package dev.uplift.temporaldev.night;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The devices of a night, and with them the table of the next morning: a function of the seed and their number.
///
/// Hosts with the same behaviour have consecutive numbers, because one process simulates them.
public record NightFleet(List<NightDevice> devices) {
  /// With fewer, a behaviour might be missing, or decide about the first wave.
  public static final int MIN_DEVICES = 40;

  private static final int MIN_CANARIES = 4;
  private static final int DEVICES_PER_CANARY = 200;

  public NightFleet {
    devices = List.copyOf(devices);
  }

  /// Returns the fleet of a seed.
  public static NightFleet of(long seed, int count) {
    Random random = new Random(seed);
    List<HostBehaviour> behaviours = new ArrayList<>();
    for (HostBehaviour behaviour : HostBehaviour.values()) {
      behaviours.addAll(Collections.nCopies(behaviour.count(count), behaviour));
    }
    behaviours.addAll(Collections.nCopies(count - behaviours.size(), HostBehaviour.UPGRADES));
    Map<HostBehaviour, Integer> nextHost = firstHosts(behaviours);
    Collections.shuffle(behaviours, random);
    List<NightRegion> regions = List.of(NightRegion.values());
    int canariesLeft = Math.max(MIN_CANARIES, count / DEVICES_PER_CANARY);
    List<NightDevice> devices = new ArrayList<>();
    for (HostBehaviour behaviour : behaviours) {
      NightRegion region = regions.get(random.nextInt(regions.size()));
      boolean isCanary = region == NightRegion.PACIFIC && canariesLeft > 0;
      canariesLeft -= isCanary ? 1 : 0;
      int host = nextHost.merge(behaviour, 1, Integer::sum) - 1;
      devices.add(new NightDevice("site-%05d".formatted(devices.size()), host, region, isCanary, behaviour));
    }
    return new NightFleet(devices);
  }

  private static Map<HostBehaviour, Integer> firstHosts(List<HostBehaviour> behaviours) {
    Map<HostBehaviour, Integer> first = new EnumMap<>(HostBehaviour.class);
    int next = 0;
    for (HostBehaviour behaviour : HostBehaviour.values()) {
      first.put(behaviour, next);
      next += Collections.frequency(behaviours, behaviour);
    }
    return first;
  }

  List<NightDevice> with(HostBehaviour behaviour) {
    return devices.stream().filter(device -> device.behaviour() == behaviour).toList();
  }

  /// Returns how many devices end before the rollout leaves out those that are off.
  int countStarted() {
    return Math.toIntExact(devices.stream().filter(device -> device.behaviour().isStarted()).count());
  }

  /// Returns the expected outcome by device.
  public SortedMap<String, String> expectedOutcomes() {
    return devices.stream()
        .collect(Collectors.toMap(NightDevice::name, NightDevice::expectedOutcome, (one, _) -> one, TreeMap::new));
  }
}
