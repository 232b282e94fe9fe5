package dev.uplift.workflows;

import io.temporal.common.SearchAttributeKey;
import java.util.List;

/// The search attributes of workflows in Temporal Web UI. Every server must have these registered, all as `Keyword`,
/// before the first workflow starts.
public final class SearchAttributeKeys {
  public static final SearchAttributeKey<String> TENANT = SearchAttributeKey.forKeyword("Tenant");
  public static final SearchAttributeKey<String> DEVICE = SearchAttributeKey.forKeyword("Device");
  public static final SearchAttributeKey<String> ROLLOUT = SearchAttributeKey.forKeyword("Rollout");
  public static final SearchAttributeKey<String> PACKAGE = SearchAttributeKey.forKeyword("Package");
  public static final SearchAttributeKey<String> VERSION = SearchAttributeKey.forKeyword("Version");
  public static final SearchAttributeKey<String> PHASE = SearchAttributeKey.forKeyword("Phase");
  public static final SearchAttributeKey<String> OUTCOME = SearchAttributeKey.forKeyword("Outcome");

  public static final List<SearchAttributeKey<String>> ALL =
      List.of(TENANT, DEVICE, ROLLOUT, PACKAGE, VERSION, PHASE, OUTCOME);

  private SearchAttributeKeys() {}
}
