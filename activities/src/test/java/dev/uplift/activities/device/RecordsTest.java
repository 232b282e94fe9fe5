package dev.uplift.activities.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.Scenario;
import dev.uplift.activities.World;
import dev.uplift.activities.links.Links;
import dev.uplift.activities.nats.Refusals;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.workflows.device.Beginning;
import dev.uplift.workflows.device.Ending;
import dev.uplift.workflows.device.HostReport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RecordsTest extends Scenario {
  private RecordsInTables records;

  @Override
  protected World world() {
    return World.shared();
  }

  @BeforeEach
  void open() {
    records =
        DeviceSide.of(
                world().tables(),
                new Links(
                    world().wiring().nats(),
                    world().wiring().temporal(),
                    world().wiring().presence(),
                    new Refusals(new SimpleMeterRegistry())),
                Duration.ofMinutes(1),
                _ -> {},
                () -> "run-1")
            .records();
  }

  @Test
  void upgradeBeginsOnceHoweverOftenItIsSaid() {
    Beginning first = records.begin(plan(withoutResends()));

    assertThat(records.begin(plan(withoutResends()))).isEqualTo(first);
    assertThat(first.ended()).isEmpty();
    assertThat(first.found().kind()).isEqualTo("simulated");
    assertThat(first.found().sequence()).isEqualTo(150);
  }

  @Test
  void firstEndingStaysAndIsWhatTheNextBeginningFinds() {
    records.begin(plan(withoutResends()));
    Ending first = ending(Outcome.ROLLED_BACK, Progress.ROLLED_BACK);

    assertThat(records.end(plan(withoutResends()), first)).isEqualTo(first);
    assertThat(records.end(plan(withoutResends()), ending(Outcome.UPGRADED, Progress.UPGRADED)))
        .isEqualTo(first);

    assertThat(records.begin(plan(withoutResends())).ended()).contains(first);
  }

  @Test
  void endingIsKeptThoughTheRecordsHaveForgottenTheBeginning() {
    Ending ending = ending(Outcome.UPGRADED, Progress.UPGRADED);

    assertThat(records.end(plan(withoutResends()), ending)).isEqualTo(ending);

    assertThat(recorded().map(UpgradeEnd::outcome)).contains(Outcome.UPGRADED);
  }

  @Test
  void heldDeviceIsFoundToBeHeldAndByWhom() {
    world().hold(device, "spare part ordered", "bob");

    assertThat(records.begin(plan(withoutResends())).found().held().orElseThrow())
        .isEqualTo("held by bob: spare part ordered");
  }

  private Ending ending(Outcome outcome, Progress progress) {
    Reason reason = new Reason(Reason.Kind.ERROR, "disk-full", "/var: 12 MB left");
    return new Ending(
        outcome,
        Optional.of(reason),
        List.of(new HostReport(host.id(), progress, "1.4.0", false, Optional.of(reason))));
  }
}
