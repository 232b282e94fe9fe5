package dev.uplift.api.upgrades;

import dev.uplift.api.hosts.PresenceView;
import dev.uplift.api.json.Shapes;
import dev.uplift.workflows.device.Wait;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Optional;

/// Something that an upgrade waits for.
///
/// @param what `answer`, `heartbeat`, `presence`, `person`, `resume`, `approval`, `go`, `window`,
///   `back-off`, `soak`
/// @param sentence for people
/// @param from whom: a host, `operator`, `clock` or `uplift`
/// @param until when it waits no longer; absent if it waits for ever
/// @param presence of the host now
@Serdeable
record WaitView(
    String what,
    String step,
    String host,
    String sentence,
    String from,
    Instant since,
    Optional<Instant> until,
    PresenceView presence) {
  static WaitView of(Wait wait, PresenceView presence) {
    return new WaitView(
        Shapes.word(wait.what()),
        wait.step().toString(),
        wait.host().value(),
        wait.sentence(),
        wait.from(),
        wait.since(),
        wait.until(),
        presence);
  }
}
