package dev.uplift.cli.option;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/// Options of a change of something that has a version.
public final class ChangeOptions {
  @Mixin private IfMatchOption ifMatch = new IfMatchOption();
  @Mixin private DryRunOption dryRun = new DryRunOption();

  public DryRunOption dryRun() {
    return dryRun;
  }

  public Map<String, String> headers() {
    return ifMatch.headers();
  }

  /// As [#headers()]; with `isNew` only if there is no such thing yet.
  public Map<String, String> headers(boolean isNew) {
    Map<String, String> headers = new HashMap<>(headers());
    if (isNew) {
      headers.put("If-None-Match", "*");
    }
    return headers;
  }

  public String query() {
    return dryRun.query();
  }

  /// Returns a formatter that prints a sentence in place of the response.
  public Function<JsonNode, String> result(String done) {
    return _ -> dryRun.resultText(done);
  }
}
