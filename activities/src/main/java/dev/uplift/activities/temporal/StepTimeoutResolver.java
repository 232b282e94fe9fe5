package dev.uplift.activities.temporal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.StepTimeouts;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.store.release.ReleaseRepository;
import dev.uplift.store.release.ReleaseRow;
import dev.uplift.workflows.device.UpgradeTimeouts;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Decides how long the steps of an upgrade may take. For each step the nearest counts: the upgrade or the rollout that
/// starts it, then the release, then the server.
@Singleton
public final class StepTimeoutResolver {
  private final UpgradeTimeouts defaults;
  private final Bound bound;
  private final ReleaseRepository releases;

  public StepTimeoutResolver(UpgradeTimeouts defaults, Bound bound, ReleaseRepository releases) {
    this.defaults = defaults;
    this.bound = bound;
    this.releases = releases;
  }

  /// The longest time-out that others than the server may ask for.
  public record Bound(Duration longest) {
    public static final Bound DEFAULT = new Bound(Duration.ofDays(1));
  }

  /// Returns the time-outs of an upgrade to the release. What a release asks for beyond the bound is cut: it may have
  /// been signed for another server.
  public UpgradeTimeouts resolve(String tenant, Release release, StepTimeouts requested) {
    return resolve(releases.find(tenant, release), requested);
  }

  /// As above, of a release that was read; empty if it does not exist.
  public UpgradeTimeouts resolve(Optional<ReleaseRow> release, StepTimeouts requested) {
    StepTimeouts suggested = release.map(StepTimeoutResolver::suggestedBy).orElse(StepTimeouts.NONE);
    return defaults.with(requested.orElse(suggested).atMost(bound.longest));
  }

  /// Returns the time-outs that are the server's own.
  public UpgradeTimeouts defaults() {
    return defaults;
  }

  /// Returns the steps for which more is requested than the server allows.
  public List<Step> refused(StepTimeouts requested) {
    return requested.longerThan(bound.longest);
  }

  public Duration longest() {
    return bound.longest;
  }

  private static StepTimeouts suggestedBy(ReleaseRow release) {
    ReleaseManifest.StepSeconds seconds = ReleaseManifest.read(release.manifest().getBytes(UTF_8)).stepTimeouts();
    Map<Step, Duration> times = new EnumMap<>(Step.class);
    put(times, Step.PREPARE, seconds.prepare());
    put(times, Step.UPGRADE, seconds.upgrade());
    put(times, Step.REBOOT, seconds.reboot());
    put(times, Step.AWAIT_HEARTBEAT, seconds.awaitHeartbeat());
    put(times, Step.ROLLBACK, seconds.rollback());
    return new StepTimeouts(times);
  }

  private static void put(Map<Step, Duration> times, Step step, long seconds) {
    if (seconds > 0) {
      times.put(step, Duration.ofSeconds(seconds));
    }
  }
}
