package dev.uplift.api.request;

import dev.uplift.api.json.ValueReaders;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.security.Caller;
import dev.uplift.store.PageRequest;
import dev.uplift.store.audit.AuditEntry;
import io.micronaut.http.HttpHeaders;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// A request within a tenant.
///
/// @param tenant that it is about; the caller may enter it
/// @param clientAddress the address that it came from
/// @param queryParameters of the query, each once
/// @param headers of the request
public record RequestContext(
    Caller caller,
    String tenant,
    String clientAddress,
    Map<String, String> queryParameters,
    HttpHeaders headers) {
  static final String VALIDATE = "validate";
  private static final int DEFAULT_LIMIT = 100;

  /// Whether it is only to be checked.
  public boolean isValidateOnly() {
    return queryBoolean(VALIDATE).orElse(false);
  }

  public Optional<String> queryText(String parameter) {
    return Optional.ofNullable(queryParameters.get(parameter));
  }

  public Optional<Boolean> queryBoolean(String parameter) {
    return queryText(parameter)
        .map(text ->
            switch (text) {
              case "true" -> true;
              case "false" -> false;
              default -> throw invalidParameter(parameter, "expected true or false");
            });
  }

  public <E extends Enum<E>> Optional<E> queryEnum(String parameter, E[] constants) {
    return queryText(parameter)
        .map(text -> parse(parameter, () -> ValueReaders.enumWord(constants, text)));
  }

  public Optional<Integer> queryInt(String parameter, int least, int most) {
    return queryText(parameter).map(text -> queryInt(parameter, text, least, most));
  }

  private static int queryInt(String parameter, String text, int least, int most) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw invalidParameter(parameter, "expected %d to %d".formatted(least, most));
  }

  /// The part of a list that is asked for.
  public PageRequest pageRequest() {
    return new PageRequest(
        queryText("cursor"), queryInt("limit", 1, PageRequest.MAX_LIMIT).orElse(DEFAULT_LIMIT));
  }

  /// An id that a parameter has, or a refusal that says what it should look like.
  public static <T> T parse(String parameter, Supplier<T> id) {
    try {
      return id.get();
    } catch (IllegalArgumentException e) {
      throw invalidParameter(parameter, String.valueOf(e.getMessage()));
    }
  }

  public static ProblemException invalidParameter(String parameter, String detail) {
    return ProblemException.badRequest(RequestError.parameter(parameter, detail));
  }

  /// What is kept of it.
  ///
  /// @param action a verb: `device.put`
  /// @param target what it is done to: `device/left`
  public AuditEntry auditEntry(String action, String target, String detail) {
    return new AuditEntry(tenant, caller.name(), action, target, clientAddress, detail);
  }
}
