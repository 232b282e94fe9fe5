package dev.uplift.services.selection;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.Program;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An expression that is true of some devices: `labels.region == 'north' && hosts > 1`.
///
/// It may use `device`, `labels`, `versions`, `hosts` and `zone` of [SelectableDevice] and what Common Expression
/// Language has, `matches` with RE2 among it. It is false for a device that it cannot be evaluated for, for example
/// because of a missing label. Safe for use by many threads; the same device always gets the same answer.
public final class Selection {
  /// Longer texts are not compiled.
  public static final int MAX_LENGTH = 2000;

  static final String DEVICE = "device";
  static final String LABELS = "labels";
  static final String VERSIONS = "versions";
  static final String HOSTS = "hosts";
  static final String ZONE = "zone";

  private static final String EVERYTHING = "true";

  /// Of `labels.x` and of `labels['x']`.
  private static final Pattern MISSING_KEY =
      Pattern.compile("<input>:([0-9]{1,6}): (?:key '(.*)' is not present in map.*|([^ ]+))$");

  private static final CelOptions OPTIONS = CelOptions.current().enableHeterogeneousNumericComparisons(true).build();
  private static final MapType TEXTS = MapType.create(SimpleType.STRING, SimpleType.STRING);

  /// Loaded on first use, which takes a second.
  private static final class Language {
    static final CelCompiler COMPILER =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .addVar(DEVICE, SimpleType.STRING)
            .addVar(LABELS, TEXTS)
            .addVar(VERSIONS, TEXTS)
            .addVar(HOSTS, SimpleType.INT)
            .addVar(ZONE, SimpleType.STRING)
            .setResultType(SimpleType.BOOL)
            .build();
    static final CelRuntime RUNTIME = CelRuntimeFactory.plannerRuntimeBuilder().setOptions(OPTIONS).build();
  }

  private static final Set<String> VARIABLES = Set.of(DEVICE, LABELS, VERSIONS, HOSTS, ZONE);

  private final String text;
  private final Program program;

  /// Whether it uses nothing of a device.
  private final boolean constant;

  private Selection(String text, CelAbstractSyntaxTree syntaxTree) throws CelEvaluationException {
    this.text = text;
    this.program = Language.RUNTIME.createProgram(syntaxTree);
    this.constant =
        syntaxTree.getReferenceMap().values().stream().map(CelReference::name).noneMatch(VARIABLES::contains);
  }

  /// Compiles a text; an empty one is true of every device.
  public static CompiledSelection compile(String text) {
    if (text.length() > MAX_LENGTH) {
      return new CompiledSelection.Invalid(
          new SelectionError(1, 1, "expected at most %d characters, found %d".formatted(MAX_LENGTH, text.length())));
    }
    String expression = text.isBlank() ? EVERYTHING : text;
    try {
      return new CompiledSelection.Valid(new Selection(text, Language.COMPILER.compile(expression).getAst()));
    } catch (CelValidationException e) {
      return new CompiledSelection.Invalid(toError(e));
    } catch (CelEvaluationException e) {
      return new CompiledSelection.Invalid(new SelectionError(1, 1, String.valueOf(e.getMessage())));
    }
  }

  private static SelectionError toError(CelValidationException e) {
    if (e.getErrors().isEmpty()) {
      return new SelectionError(1, 1, String.valueOf(e.getMessage()));
    }
    CelIssue first = e.getErrors().getFirst();
    return new SelectionError(
        Math.max(first.getSourceLocation().getLine(), 1),
        Math.max(first.getSourceLocation().getColumn(), 0) + 1,
        inOurWords(first.getMessage()));
  }

  /// The lexer says of the most usual mistake only that it does not know the token.
  private static String inOurWords(String message) {
    return message.contains("token recognition error at: '=") ? "found a single =; use == to compare" : message;
  }

  /// What a device lacks for the expression: a noun, for "it has …".
  private String missing(String message) {
    Matcher key = MISSING_KEY.matcher(message);
    if (!key.find()) {
      return "no value for the expression (%s)".formatted(message);
    }
    String name = key.group(2) == null ? key.group(3) : key.group(2);
    int offset = Math.min(Integer.parseInt(key.group(1)), text.length());
    return (text.substring(0, offset).endsWith(VERSIONS) ? "no known version of " : "no label ") + name;
  }

  /// Loads the compiler, so that the first request does not wait for it.
  public static void warmUp() {
    if (compile("labels.region == 'north'") instanceof CompiledSelection.Valid(Selection right)) {
      right.evaluate(new SelectableDevice("warm-up", Map.of(), Map.of(), 1, "UTC"));
    }
  }

  /// Returns whether it uses the versions of a device.
  public boolean usesVersions() {
    return text.contains(VERSIONS);
  }

  /// Returns whether it is true without regard to any device. One that is true of all devices because of what they are
  /// is not found by this.
  public boolean isTrueOfEveryDevice() {
    return constant && matches(new SelectableDevice("", Map.of(), Map.of(), 0, ""));
  }

  public boolean matches(SelectableDevice device) {
    try {
      return Boolean.TRUE.equals(program.eval(device.variables()));
    } catch (CelEvaluationException _) {
      return false;
    }
  }

  /// Returns whether it is true of a device; if that cannot be evaluated, why not.
  public Evaluation evaluate(SelectableDevice device) {
    try {
      return new Evaluation.Known(Boolean.TRUE.equals(program.eval(device.variables())));
    } catch (CelEvaluationException e) {
      return new Evaluation.Unknown(missing(String.valueOf(e.getMessage())));
    }
  }

  /// The result for one device.
  public sealed interface Evaluation {
    record Known(boolean matches) implements Evaluation {}

    /// It is not true.
    ///
    /// @param reason for people: what the device has not, such as "no label chain"
    record Unknown(String reason) implements Evaluation {}
  }

  /// The text of the expression.
  @Override
  public String toString() {
    return text;
  }
}
