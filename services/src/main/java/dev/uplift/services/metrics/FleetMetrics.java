package dev.uplift.services.metrics;

import static java.util.stream.Collectors.toMap;

import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.barrier.BarrierState;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.presence.Presence.HostsByPresence;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.metrics.FleetCountRepository;
import dev.uplift.store.metrics.FleetCountRepository.OpenBarrierCount;
import dev.uplift.store.metrics.FleetCountRepository.OpenCommandCount;
import dev.uplift.store.metrics.FleetCountRepository.OpenRolloutCount;
import dev.uplift.store.metrics.FleetCountRepository.OpenWaveCount;
import dev.uplift.store.metrics.FleetCountRepository.PhaseCount;
import dev.uplift.store.metrics.FleetCountRepository.WebhookCount;
import dev.uplift.store.reconciler.ReconcilerLeaseRepository;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What all servers together work on, as gauges: upgrades, commands, rollouts, barriers, devices and hosts. One server
/// at a time counts and exports them, however many run and however often they are asked, so a sum over servers is
/// right.
@Singleton
public final class FleetMetrics {
  /// How often the server whose turn it is counts.
  public static final Duration INTERVAL = Duration.ofSeconds(15);

  private static final Logger LOG = LoggerFactory.getLogger(FleetMetrics.class);
  private static final String LEASE = "fleet-metrics";
  private static final Set<Phase> PHASES =
      EnumSet.of(Phase.PREPARE, Phase.WAIT, Phase.UPGRADE, Phase.ROLLBACK, Phase.REVERT);

  private static final Set<RolloutState> OPEN_STATES =
      EnumSet.complementOf(EnumSet.of(RolloutState.DRAFT, RolloutState.ENDED));

  private static final Set<BarrierState> OPEN_BARRIER_STATES = EnumSet.complementOf(EnumSet.of(BarrierState.ENDED));

  /// The label `wait` of rollouts that wait for nothing.
  private static final String NO_WAIT = "none";

  /// Those for which a command is sent.
  private static final List<Step> STEPS =
      Arrays.stream(Step.values()).filter(step -> !step.isShownByHeartbeat()).toList();

  private static final List<String> WAVE_STATES = List.of("pending", "running", "soaking");
  private static final List<String> WEBHOOK_STATES = List.of("working", "failing", "disabled");

  private final FleetCountRepository counts;
  private final ReconcilerLeaseRepository leases;
  private final Presence presence;
  private final InstantSource clock;
  private final String holder = UUID.randomUUID().toString();
  private final MultiGauge upgrades;
  private final MultiGauge oldestUpgrades;
  private final MultiGauge commands;
  private final MultiGauge oldestCommands;
  private final MultiGauge rollouts;
  private final MultiGauge rolloutProgress;
  private final MultiGauge waves;
  private final MultiGauge oldestWaves;
  private final MultiGauge barriers;
  private final MultiGauge oldestBarriers;
  private final MultiGauge haltedHosts;
  private final MultiGauge devices;
  private final MultiGauge hosts;
  private final MultiGauge webhooks;
  private final MultiGauge age;

  public FleetMetrics(
      FleetCountRepository counts,
      ReconcilerLeaseRepository leases,
      Presence presence,
      InstantSource clock,
      MeterRegistry meters) {
    this.counts = counts;
    this.leases = leases;
    this.presence = presence;
    this.clock = clock;
    this.upgrades = gauge(meters, "uplift.upgrades.running", "upgrades that have not ended");
    this.oldestUpgrades = ageGauge(meters, "uplift.upgrades.oldest", "the longest time that one is in this phase");
    this.commands = gauge(meters, "uplift.commands.open", "commands that hosts have not answered");
    this.oldestCommands = ageGauge(meters, "uplift.commands.oldest", "age of the oldest of them");
    this.rollouts = gauge(meters, "uplift.rollouts.open", "rollouts that have not ended, without drafts");
    this.rolloutProgress =
        ageGauge(meters, "uplift.rollouts.progress.age", "the longest time since one has started or ended an upgrade");
    this.waves = gauge(meters, "uplift.waves.open", "waves of open rollouts that have not completed");
    this.oldestWaves = ageGauge(meters, "uplift.waves.oldest", "the longest time since one of them was started");
    this.barriers = gauge(meters, "uplift.barriers.open", "barriers that have not ended");
    this.oldestBarriers =
        ageGauge(meters, "uplift.barriers.oldest", "the longest time since one had halted, or, before, was started");
    this.haltedHosts = gauge(meters, "uplift.hosts.halted", "hosts that open barriers have halted");
    this.devices = gauge(meters, "uplift.devices", "devices");
    this.hosts = gauge(meters, "uplift.hosts", "hosts of devices");
    this.webhooks = gauge(meters, "uplift.webhooks", "webhooks");
    this.age = ageGauge(meters, "uplift.fleet.counts.age", "how long ago the fleet was counted");
  }

  private static MultiGauge gauge(MeterRegistry meters, String name, String description) {
    return MultiGauge.builder(name).description(description).register(meters);
  }

  private static MultiGauge ageGauge(MeterRegistry meters, String name, String description) {
    return MultiGauge.builder(name).description(description).baseUnit("seconds").register(meters);
  }

  /// Counts, unless another server does. To be called every [#INTERVAL].
  public void refresh() {
    try {
      if (leases.acquire(LEASE, holder, INTERVAL.multipliedBy(3)).isPresent()) {
        count();
      } else {
        clear();
      }
    } catch (DatabaseUnavailable e) {
      // The age of the counts shows it.
      LOG.debug("the fleet is counted later", e);
    }
  }

  private void count() {
    showUpgrades(counts.countRunningUpgrades());
    showCommands(counts.countOpenCommands());
    showRollouts(counts.countOpenRollouts());
    showWaves(counts.countOpenWaves());
    showBarriers(counts.countOpenBarriers());
    devices.register(List.of(Row.of(Tags.empty(), counts.countDevices())), true);
    showHosts(presence.countHosts(counts.countHosts()));
    showWebhooks(counts.countWebhooks());
    age.register(List.of(ageRow(Tags.empty(), Optional.of(clock.instant()))), true);
  }

  /// How many there are with a word of a label, and since when the oldest of them.
  private record Counted(String word, long number, Instant oldest) {}

  private void showUpgrades(List<PhaseCount> found) {
    Stream<Counted> counted = found.stream().map(each -> new Counted(each.phase(), each.upgrades(), each.oldest()));
    show(upgrades, oldestUpgrades, "phase", PHASES, counted);
  }

  private void showCommands(List<OpenCommandCount> found) {
    Stream<Counted> counted = found.stream().map(each -> new Counted(each.step(), each.commands(), each.oldest()));
    show(commands, oldestCommands, "step", STEPS, counted);
  }

  private void showWaves(List<OpenWaveCount> found) {
    Stream<Counted> counted = found.stream().map(each -> new Counted(each.state(), each.waves(), each.oldest()));
    show(waves, oldestWaves, "state", WAVE_STATES, counted);
  }

  private void showBarriers(List<OpenBarrierCount> found) {
    Stream<Counted> counted = found.stream().map(each -> new Counted(each.state(), each.barriers(), each.oldest()));
    show(barriers, oldestBarriers, "state", OPEN_BARRIER_STATES, counted);
    haltedHosts.register(
        List.of(Row.of(Tags.empty(), found.stream().mapToLong(OpenBarrierCount::haltedHosts).sum())), true);
  }

  /// Shows 0 for a word of which there is none.
  private void show(MultiGauge numbers, MultiGauge ages, String label, Collection<?> words, Stream<Counted> counted) {
    Map<String, Counted> byWord = counted.collect(toMap(Counted::word, Function.identity()));
    Function<Object, Optional<Counted>> of = word -> Optional.ofNullable(byWord.get(word.toString()));
    numbers.register(
        rows(words.stream(), word -> Row.of(tag(label, word), of.apply(word).map(Counted::number).orElse(0L))), true);
    ages.register(rows(words.stream(), word -> ageRow(tag(label, word), of.apply(word).map(Counted::oldest))), true);
  }

  private void showRollouts(List<OpenRolloutCount> found) {
    List<Row<?>> numbers = new ArrayList<>(rows(found.stream(), each -> Row.of(tags(each), each.rollouts())));
    List<Row<?>> ages = new ArrayList<>(rows(found.stream(), each -> ageRow(tags(each), Optional.of(each.oldest()))));
    OPEN_STATES.stream()
        .map(state -> Tags.of("state", state.toString(), "wait", NO_WAIT))
        .filter(tags -> found.stream().noneMatch(each -> tags(each).equals(tags)))
        .forEach(tags -> {
          numbers.add(Row.of(tags, 0));
          ages.add(ageRow(tags, Optional.empty()));
        });
    rollouts.register(numbers, true);
    rolloutProgress.register(ages, true);
  }

  private static Tags tags(OpenRolloutCount count) {
    return Tags.of("state", count.state(), "wait", count.waitReason().isEmpty() ? NO_WAIT : count.waitReason());
  }

  private void showHosts(HostsByPresence found) {
    hosts.register(
        List.of(
            Row.of(Tags.of("presence", "online"), found.online()),
            Row.of(Tags.of("presence", "silent"), found.silent()),
            Row.of(Tags.of("presence", "unknown"), found.unknown())),
        true);
  }

  private void showWebhooks(List<WebhookCount> found) {
    Map<String, Long> byState = found.stream().collect(toMap(WebhookCount::state, WebhookCount::webhooks));
    webhooks.register(
        rows(WEBHOOK_STATES.stream(), state -> Row.of(tag("state", state), byState.getOrDefault(state, 0L))), true);
  }

  /// Another server exports them.
  private void clear() {
    Stream.of(
            upgrades,
            oldestUpgrades,
            commands,
            oldestCommands,
            rollouts,
            rolloutProgress,
            waves,
            oldestWaves,
            barriers,
            oldestBarriers,
            haltedHosts,
            devices,
            hosts,
            webhooks,
            age)
        .forEach(each -> each.register(List.of(), true));
  }

  private static <T> List<Row<?>> rows(Stream<T> of, Function<T, Row<?>> row) {
    return of.<Row<?>>map(row).toList();
  }

  private static Tags tag(String name, Object value) {
    return Tags.of(name, value.toString());
  }

  /// Rises between two counts; 0 if there is none.
  private Row<?> ageRow(Tags tags, Optional<Instant> since) {
    return Row.of(tags, () -> since.map(this::secondsSince).orElse(0.0));
  }

  private double secondsSince(Instant time) {
    return Math.max(0, Duration.between(time, clock.instant()).toMillis() / 1e3);
  }
}
