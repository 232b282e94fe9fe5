package dev.uplift.fleet.rollout.wave;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.plan.PlanViolation;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSize.Count;
import dev.uplift.fleet.rollout.plan.WaveSize.Matching;
import dev.uplift.fleet.rollout.plan.WaveSize.PerValue;
import dev.uplift.fleet.rollout.plan.WaveSize.Percent;
import dev.uplift.fleet.rollout.plan.WaveSize.Rest;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.fleet.rollout.wave.WaveAssignment.Assigned;
import dev.uplift.fleet.rollout.wave.WaveAssignment.Refused;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// A fleet of a hundred: till-0 to till-99, ten in each of the stores 0 to 9, two of three in the north, and all but
/// the first ten with a ring.
final class WaveAssignmentTest {
  private static final List<SelectedDevice> FLEET = IntStream.range(0, 100).mapToObj(WaveAssignmentTest::till).toList();

  /// `ring=late` is true of devices with that label.
  private static final DeviceMatcher LABEL =
      (expression, selectedDevice) -> {
        String[] parts = expression.split("=", 2);
        return parts[1].equals(selectedDevice.labels().get(parts[0]));
      };

  static final List<Case> CASES =
      List.of(
          new Case("no waves", List.of(), 100, "canary 1, 10 % 10, the rest 89"),
          new Case("no waves for three", List.of(), 3, "canary 1, 10 % 1, the rest 1"),
          new Case("no waves for two", List.of(), 2, "canary 1, the rest 1"),
          new Case("no waves for one", List.of(), 1, "the rest 1"),
          new Case(
              "percentages of all, not of the remaining ones",
              waves(new Count(5), new Percent(20), new Rest()),
              100,
              "5 canaries 5, 20 % 20, the rest 75"),
          new Case(
              "percentages of 100 in total include all devices",
              waves(new Percent(33), new Percent(33), new Percent(34)),
              100,
              "33 % 33, 33 % 33, 34 % 34"),
          new Case(
              "of few devices too",
              waves(new Percent(33), new Percent(33), new Percent(34)),
              7,
              "33 % 3, 33 % 2, 34 % 2"),
          new Case("by expression", waves(new Matching("ring=late"), new Rest()), 100, "ring=late 45, the rest 55"),
          new Case(
              "per value, in their order",
              waves(new Count(1), new PerValue("region")),
              100,
              "canary 1, region = north 67, region = south 32"),
          new Case(
              "per value, and those without one",
              waves(new PerValue("ring"), new Rest()),
              100,
              "ring = early 45, ring = late 45, the rest 10"),
          new Case(
              "leaves some over",
              waves(new Count(1), new Percent(50)),
              100,
              "/waves leave over 49 of 100 devices; expected a last wave {\"rest\": true}"),
          new Case(
              "per value leaves over those without one",
              waves(new PerValue("ring")),
              100,
              "/waves leave over 10 of 100 devices; expected a last wave {\"rest\": true}"),
          new Case(
              "an empty wave",
              waves(new Count(1), new Percent(100), new Rest()),
              100,
              "/waves/2/rest the waves before it take all 100 devices; expected fewer waves, or" + " smaller ones"),
          new Case(
              "an expression true of none",
              waves(new Matching("ring=none"), new Rest()),
              100,
              "/waves/0/expression is true of no device that is in no wave yet; expected at least" + " one"),
          new Case(
              "a label that none has",
              waves(new PerValue("planet"), new Rest()),
              100,
              "/waves/0/each_value_of no device that is in no wave yet has the label planet;"
                  + " expected at least one"));

  @ParameterizedTest
  @FieldSource("CASES")
  void assignsEveryDeviceOnce(Case one) {
    List<SelectedDevice> members = FLEET.subList(0, one.devices);

    WaveAssignment assignment = WaveAssignment.of(plan(one.waves), "r1", members, LABEL);

    assertThat(inWords(assignment)).isEqualTo(one.said);
    if (assignment instanceof Assigned(List<Wave> waves)) {
      assertThat(waves.stream().flatMap(wave -> wave.devices().stream()))
          .containsExactlyInAnyOrderElementsOf(members.stream().map(SelectedDevice::device).toList());
    }
  }

  @Test
  void doesNotDependOnTheOrderOfDevices() {
    List<SelectedDevice> shuffled = new ArrayList<>(FLEET);
    Collections.reverse(shuffled);

    assertThat(assigned("r1", shuffled)).isEqualTo(assigned("r1", FLEET));
  }

  @Test
  void differsInAnotherRollout() {
    Set<String> canaries =
        IntStream.range(0, 20).mapToObj(i -> assigned("r" + i, FLEET).getFirst().devices().getFirst()).collect(toSet());

    assertThat(canaries).hasSizeGreaterThan(10);
  }

  @Test
  void canariesAreSpreadOverTheValuesOfALabel() {
    List<WaveSpec> waves =
        List.of(
            WaveSpec.of(new Count(10)).spreadOver("store"),
            WaveSpec.of(new Percent(20)).spreadOver("store"),
            WaveSpec.of(new Rest()));

    List<Wave> assigned = ((Assigned) WaveAssignment.of(plan(waves), "r1", FLEET, LABEL)).waves();

    assertThat(assigned.getFirst().devices()).extracting(WaveAssignmentTest::store).doesNotHaveDuplicates();
    assertThat(assigned.get(1).devices().subList(0, 10)).extracting(WaveAssignmentTest::store).doesNotHaveDuplicates();
  }

  @Test
  void firstValueOfALabelVaries() {
    List<WaveSpec> waves = List.of(WaveSpec.of(new Count(1)).spreadOver("store"), WaveSpec.of(new Rest()));

    Set<String> stores =
        IntStream.range(0, 20)
            .mapToObj(i -> (Assigned) WaveAssignment.of(plan(waves), "r" + i, FLEET, LABEL))
            .map(assigned -> store(assigned.waves().getFirst().devices().getFirst()))
            .collect(toSet());

    assertThat(stores).hasSizeGreaterThan(3);
  }

  @Test
  void aCountTakesDevicesThatAreHeardFirst() {
    List<SelectedDevice> fleet =
        FLEET.stream().map(one -> new SelectedDevice(one.device(), one.labels(), one.device().endsWith("7"))).toList();

    List<Wave> waves =
        ((Assigned) WaveAssignment.of(plan(waves(new Count(3), new Rest())), "r1", fleet, LABEL)).waves();

    assertThat(waves.getFirst().devices()).hasSize(3).allMatch(device -> device.endsWith("7"));
  }

  @Test
  void aLateJoinerIsAssignedToTheFirstMatchingWave() {
    List<Wave> waves =
        ((Assigned)
                WaveAssignment.of(
                    plan(waves(new Count(1), new Matching("ring=late"), new PerValue("region"))), "r1", FLEET, LABEL))
            .waves();
    SelectedDevice late = new SelectedDevice("new", Map.of("ring", "late", "region", "south"));
    SelectedDevice elsewhere = new SelectedDevice("new", Map.of("region", "west"));

    assertThat(WaveAssignment.waveOfLateJoiner(waves, 1, late, LABEL)).isEqualTo(2);
    assertThat(WaveAssignment.waveOfLateJoiner(waves, 3, late, LABEL)).isEqualTo(4);
    assertThat(WaveAssignment.waveOfLateJoiner(waves, 1, elsewhere, LABEL)).isEqualTo(4);
  }

  private static List<Wave> assigned(String rollout, List<SelectedDevice> members) {
    return ((Assigned) WaveAssignment.of(plan(List.of()), rollout, members, LABEL)).waves();
  }

  /// Omits the example device, which depends on a hash.
  private static String inWords(WaveAssignment assignment) {
    return switch (assignment) {
      case Assigned(List<Wave> waves) ->
          String.join(", ", waves.stream().map(w -> w.title() + " " + w.devices().size()).toList());
      case Refused(List<PlanViolation> violations) ->
          String.join(
              "\n",
              violations.stream()
                  .map(f -> f.pointer() + " " + f.message().replaceAll(", till-\\d+ for one", ""))
                  .toList());
    };
  }

  private static SelectedDevice till(int i) {
    String region = i % 3 == 2 ? "south" : "north";
    String store = Integer.toString(i % 10);
    return new SelectedDevice(
        "till-" + i,
        i < 10
            ? Map.of("store", store, "region", region)
            : Map.of("store", store, "region", region, "ring", i % 2 == 0 ? "late" : "early"));
  }

  private static String store(String device) {
    return device.substring(device.length() - 1);
  }

  private static RolloutPlan plan(List<WaveSpec> waves) {
    RolloutPlan usual = RolloutPlan.defaults(new Release("os", "1.5.0"), "true");
    return new RolloutPlan(
        usual.release(),
        usual.selection(),
        usual.everything(),
        waves,
        usual.limits(),
        usual.thresholds(),
        usual.retries(),
        usual.window(),
        usual.lateJoiners(),
        usual.startAt(),
        usual.notAfter(),
        usual.priority(),
        usual.onBusy());
  }

  private static List<WaveSpec> waves(WaveSize... sizes) {
    return List.of(sizes).stream().map(WaveSpec::of).toList();
  }

  record Case(String what, List<WaveSpec> waves, int devices, String said) {
    @Override
    public String toString() {
      return what;
    }
  }
}
