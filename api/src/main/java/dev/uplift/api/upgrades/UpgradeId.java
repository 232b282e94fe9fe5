package dev.uplift.api.upgrades;

import dev.uplift.api.call.Call;
import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import java.util.UUID;
import java.util.regex.Pattern;

/// The id of an upgrade, or of a wish, which its caller chooses: the same id is the same one.
public final class UpgradeId {
  static final String HEADER = "Idempotency-Key";
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,99}");

  private UpgradeId() {}

  /// The one that was chosen, or a new one.
  public static String of(Call call) {
    String chosen = call.headers().get(HEADER);
    if (chosen == null) {
      return UUID.randomUUID().toString();
    }
    if (!FORM.matcher(chosen).matches()) {
      throw Refusal.malformed(Fault.header(HEADER, "expected ^" + FORM.pattern() + "$"));
    }
    return chosen;
  }

  /// One that stands in a path.
  static String checked(String id) {
    if (!FORM.matcher(id).matches()) {
      throw Call.wrong("id", "expected ^" + FORM.pattern() + "$");
    }
    return id;
  }
}
