package dev.uplift.api.request;

import dev.uplift.api.json.ValueReaders;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.security.Caller;
import dev.uplift.fleet.NameRule;
import dev.uplift.store.PageRequest;
import dev.uplift.store.audit.AuditEntry;
import io.micronaut.http.HttpHeaders;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// A request within a tenant.
///
/// @param tenant of the path; the caller has access to it
/// @param clientAddress the address of the caller
/// @param queryParameters of the query, each once
/// @param headers of the request
public record RequestContext(
    Caller caller, String tenant, String clientAddress, Map<String, String> queryParameters, HttpHeaders headers) {
  static final String VALIDATE = "validate";
  private static final int DEFAULT_LIMIT = 100;
  private static final Pattern CURSOR = Pattern.compile("[A-Za-z0-9_-]{1,1000}");

  /// Returns whether the request is only validated.
  public boolean isValidateOnly() {
    return queryBoolean(VALIDATE).orElse(false);
  }

  public Optional<String> queryText(String parameter) {
    return Optional.ofNullable(queryParameters.get(parameter));
  }

  /// Returns a name; the request is refused if nothing can have it.
  public Optional<String> queryName(String parameter, NameRule rule) {
    return queryText(parameter).map(name -> requireName(parameter, rule, name));
  }

  static String requireName(String parameter, NameRule rule, String name) {
    return parse(
        parameter,
        () -> {
          rule.requireValid(name);
          return name;
        });
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
    return queryText(parameter).map(text -> parse(parameter, () -> ValueReaders.enumWord(constants, text)));
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

  /// Returns the requested part of a list.
  public PageRequest pageRequest() {
    Optional<String> cursor = queryText("cursor");
    if (cursor.filter(text -> !CURSOR.matcher(text).matches()).isPresent()) {
      throw invalidParameter("cursor", "expected the next_cursor of the page before");
    }
    return new PageRequest(cursor, queryInt("limit", 1, PageRequest.MAX_LIMIT).orElse(DEFAULT_LIMIT));
  }

  /// Returns the value of a parameter, or refuses the request with the message of the [IllegalArgumentException].
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

  /// Returns the audit entry of this request.
  ///
  /// @param action a verb: `device.put`
  /// @param target such as `device/left`
  public AuditEntry auditEntry(String action, String target, String detail) {
    String origin = caller.isScript() ? clientAddress + " token/" + caller.script() : clientAddress;
    return new AuditEntry(tenant, caller.name(), action, target, origin, detail);
  }
}
