package dev.uplift.api.request;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import java.util.UUID;
import java.util.regex.Pattern;

/// The id of an upgrade, or of a wish, which its caller chooses: the same id is the same one.
public final class IdempotencyKey {
  static final String HEADER = "Idempotency-Key";
  private static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,99}");

  private IdempotencyKey() {}

  /// The one that was chosen, or a new one.
  public static String fromHeaderOrNew(RequestContext requestContext) {
    String chosen = requestContext.headers().get(HEADER);
    if (chosen == null) {
      return UUID.randomUUID().toString();
    }
    if (!PATTERN.matcher(chosen).matches()) {
      throw ProblemException.badRequest(RequestError.header(HEADER, "expected ^" + PATTERN.pattern() + "$"));
    }
    return chosen;
  }

  /// One that stands in a path.
  public static String requireValid(String id) {
    if (!PATTERN.matcher(id).matches()) {
      throw RequestContext.invalidParameter("id", "expected ^" + PATTERN.pattern() + "$");
    }
    return id;
  }
}
