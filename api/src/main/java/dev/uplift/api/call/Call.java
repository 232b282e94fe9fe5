package dev.uplift.api.call;

import dev.uplift.api.json.Shapes;
import dev.uplift.api.json.Wrong;
import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.security.Caller;
import dev.uplift.store.AuditEntry;
import dev.uplift.store.PageRequest;
import io.micronaut.http.HttpHeaders;
import java.util.Map;
import java.util.Optional;

/// A request within a tenant.
///
/// @param tenant that it is about; the caller may enter it
/// @param from the address that it came from
/// @param parameters of the query, each once
/// @param headers of the request
public record Call(
    Caller caller,
    String tenant,
    String from,
    Map<String, String> parameters,
    HttpHeaders headers) {
  static final String VALIDATE = "validate";
  private static final int USUAL_LIMIT = 100;

  /// Whether it is only to be checked.
  public boolean validates() {
    return flag(VALIDATE).orElse(false);
  }

  public Optional<String> text(String parameter) {
    return Optional.ofNullable(parameters.get(parameter));
  }

  public Optional<Boolean> flag(String parameter) {
    return text(parameter)
        .map(text ->
            switch (text) {
              case "true" -> true;
              case "false" -> false;
              default -> throw wrong(parameter, "expected true or false");
            });
  }

  public <E extends Enum<E>> Optional<E> word(String parameter, E[] constants) {
    return text(parameter)
        .map(text -> {
          try {
            return Shapes.word(constants, text);
          } catch (Wrong e) {
            throw wrong(parameter, e.detail());
          }
        });
  }

  public Optional<Integer> number(String parameter, int least, int most) {
    return text(parameter).map(text -> number(parameter, text, least, most));
  }

  private static int number(String parameter, String text, int least, int most) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw wrong(parameter, "expected %d to %d".formatted(least, most));
  }

  /// The part of a list that is asked for.
  public PageRequest page() {
    return new PageRequest(
        text("cursor"), number("limit", 1, PageRequest.MOST).orElse(USUAL_LIMIT));
  }

  public static Refusal wrong(String parameter, String detail) {
    return Refusal.malformed(Fault.parameter(parameter, detail));
  }

  /// What is kept of it.
  ///
  /// @param action a verb: `device.put`
  /// @param target what it is done to: `device/left`
  public AuditEntry did(String action, String target, String detail) {
    return new AuditEntry(tenant, caller.name(), action, target, from, detail);
  }
}
