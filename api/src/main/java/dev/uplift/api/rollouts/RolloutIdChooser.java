package dev.uplift.api.rollouts;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.RequestContext;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.RolloutId;
import java.security.SecureRandom;

/// Chooses ids of rollouts. A repeated `Idempotency-Key` is a repeated request.
final class RolloutIdChooser {
  static final String HEADER = "Idempotency-Key";
  private static final String ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
  private static final int RANDOM_CHARS = 7;
  private static final int MAX_PACKAGE_CHARS = 20;
  private static final SecureRandom RANDOM = new SecureRandom();

  private RolloutIdChooser() {}

  /// Returns the key of the request, or a new id that begins with the package.
  static RolloutId fromKeyOrNew(RequestContext requestContext, String packageName) {
    String chosen = requestContext.headers().get(HEADER);
    if (chosen == null) {
      return new RolloutId(requestContext.tenant(), generate(packageName));
    }
    if (!NameRule.ROLLOUT.isValid(chosen)) {
      throw ProblemException.badRequest(RequestError.header(HEADER, "expected " + NameRule.ROLLOUT.pattern()));
    }
    return new RolloutId(requestContext.tenant(), chosen);
  }

  private static String generate(String packageName) {
    var name =
        new StringBuilder(packageName.substring(0, Math.min(packageName.length(), MAX_PACKAGE_CHARS))).append('-');
    for (int i = 0; i < RANDOM_CHARS; i++) {
      name.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
    }
    return name.toString();
  }
}
