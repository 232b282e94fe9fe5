package dev.uplift.cli.upgrade;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// Replaces what looks like a secret in JSON: fields whose name says so, and keys, tokens and passwords within texts,
/// such as those that a program has written to its log. The rest of a text stays readable.
final class SecretRedactor {
  private static final String REDACTED = "[redacted]";

  /// Of a field, or before `=` or `:` in a text.
  private static final String SECRET_NAME =
      "(?:password|passwd|passphrase|secret|token|credentials?|authorization|api[_-]?key|private[_-]?key|seed|cookie)";

  private static final Pattern SECRET_FIELD = Pattern.compile("(?i)(?:.*[_-])?" + SECRET_NAME);

  private static final List<Pattern> SECRETS =
      List.of(
          // Keys in PEM, also one that was cut at its beginning or end.
          Pattern.compile("(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\\z)"),
          Pattern.compile("(?s)\\A(?:(?!-----BEGIN).)*-----END [A-Z0-9 ]*PRIVATE KEY-----"),
          // JSON Web Tokens, those of NATS included.
          Pattern.compile("eyJ[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]+){0,2}"),
          // Seeds of NATS keys.
          Pattern.compile("\\bS[A-Z][A-Z2-7]{56}\\b"),
          // Keys of the common clouds and forges.
          Pattern.compile("\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b|\\bgh[pousr]_[A-Za-z0-9]{20,}\\b"));

  private static final List<Pattern> SECRETS_AFTER_NAMES =
      List.of(
          Pattern.compile("(?i)(\\b(?:bearer|basic)\\s+)[A-Za-z0-9._~+/=-]{8,}"),
          Pattern.compile("(?i)(\\b[a-z][a-z0-9+.-]*://[^/\\s:@]*:)[^@\\s/]+(?=@)"),
          Pattern.compile("(?i)([?&](?:token|sig|signature|key|secret|password)=)[^&\\s\"']+"),
          Pattern.compile(
              "(?i)((?:\\b|[_-])" + SECRET_NAME + "[\"']?\\s*[=:]\\s*)(?:\"[^\"]*\"?|'[^']*'?|[^\\s,;&]+)"));

  private final String token;

  /// @param token of the caller, which is redacted wherever it appears; may be empty
  SecretRedactor(String token) {
    this.token = token;
  }

  /// Returns a copy without secrets.
  JsonNode redact(JsonNode json) {
    return switch (json) {
      case ObjectNode object -> {
        ObjectNode copy = object.objectNode();
        object.properties().forEach(field -> copy.set(field.getKey(), redact(field.getKey(), field.getValue())));
        yield copy;
      }
      case ArrayNode list -> {
        ArrayNode copy = list.arrayNode();
        list.forEach(each -> copy.add(redact(each)));
        yield copy;
      }
      case StringNode text -> StringNode.valueOf(redact(text.asString()));
      default -> json;
    };
  }

  private JsonNode redact(String field, JsonNode value) {
    boolean isSecret = SECRET_FIELD.matcher(field.toLowerCase(Locale.ROOT)).matches();
    return isSecret && !value.isObject() && !value.isArray() ? StringNode.valueOf(REDACTED) : redact(value);
  }

  String redact(String text) {
    String redacted = token.isEmpty() ? text : text.replace(token, REDACTED);
    for (Pattern secret : SECRETS) {
      redacted = secret.matcher(redacted).replaceAll(REDACTED);
    }
    for (Pattern secret : SECRETS_AFTER_NAMES) {
      redacted = secret.matcher(redacted).replaceAll("$1" + REDACTED);
    }
    return redacted;
  }
}
