package dev.uplift.activities.device;

import dev.uplift.fleet.Reason;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.store.UpgradeEnd.Why;
import dev.uplift.workflows.device.Ending;
import dev.uplift.workflows.device.HostReport;
import java.util.List;
import java.util.Locale;

/// How an upgrade ended, as the workflow says it and as the row keeps it.
final class Endings {
  private Endings() {}

  static UpgradeEnd row(Ending ending) {
    return new UpgradeEnd(
        ending.outcome(), ending.reason().map(Endings::why), Texts.write(ending.hosts()));
  }

  private static Why why(Reason reason) {
    return new Why(reason.kind().name().toLowerCase(Locale.ROOT), reason.code(), "", reason.text());
  }

  static Ending read(UpgradeEnd row) {
    return new Ending(
        row.outcome(),
        row.why().map(Endings::reason),
        List.of(Texts.read(row.hosts(), HostReport[].class)));
  }

  private static Reason reason(Why why) {
    return new Reason(
        Reason.Kind.valueOf(why.kind().toUpperCase(Locale.ROOT)), why.code(), why.text());
  }
}
