package dev.uplift.activities.device;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Reason;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.store.UpgradeEnd.Why;
import dev.uplift.workflows.device.Ending;
import dev.uplift.workflows.device.HostReport;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How an upgrade ended, as the workflow says it and as the row keeps it.
final class Endings {
  private Endings() {}

  static UpgradeEnd row(Ending ending) {
    return new UpgradeEnd(
        ending.outcome(), ending.reason().map(Endings::why), Texts.write(ending.hosts()));
  }

  private static Why why(Reason reason) {
    return new Why(
        word(reason.kind()),
        reason.code(),
        reason.errorClass().map(Endings::word).orElse(""),
        reason.text());
  }

  static Ending read(UpgradeEnd row) {
    return new Ending(
        row.outcome(),
        row.why().map(Endings::reason),
        List.of(Texts.read(row.hosts(), HostReport[].class)));
  }

  private static Reason reason(Why why) {
    return new Reason(
        constant(Reason.Kind.class, why.kind()),
        why.code(),
        why.text(),
        why.errorClass().isEmpty()
            ? Optional.empty()
            : Optional.of(constant(ErrorClass.class, why.errorClass())));
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String word) {
    return Enum.valueOf(type, word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
