package dev.uplift.api.rollouts;

import dev.uplift.api.call.Call;
import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.fleet.Names;
import dev.uplift.fleet.RolloutId;
import java.security.SecureRandom;

/// The id of a rollout, which its caller may choose: the same id is the same rollout.
final class RolloutName {
  static final String HEADER = "Idempotency-Key";
  private static final String LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
  private static final int MADE_UP = 7;
  private static final int OF_THE_PACKAGE = 20;
  private static final SecureRandom RANDOM = new SecureRandom();

  private RolloutName() {}

  /// The one that was chosen, or a new one that begins with what is rolled out.
  static RolloutId of(Call call, String packageName) {
    String chosen = call.headers().get(HEADER);
    if (chosen == null) {
      return new RolloutId(call.tenant(), madeUp(packageName));
    }
    if (!Names.ROLLOUT.allow(chosen)) {
      throw Refusal.malformed(Fault.header(HEADER, "expected " + Names.ROLLOUT.rule()));
    }
    return new RolloutId(call.tenant(), chosen);
  }

  private static String madeUp(String packageName) {
    var name =
        new StringBuilder(packageName.substring(0, Math.min(packageName.length(), OF_THE_PACKAGE)))
            .append('-');
    for (int i = 0; i < MADE_UP; i++) {
      name.append(LETTERS.charAt(RANDOM.nextInt(LETTERS.length())));
    }
    return name.toString();
  }
}
