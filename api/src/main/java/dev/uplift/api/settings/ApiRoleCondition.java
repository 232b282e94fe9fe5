package dev.uplift.api.settings;

import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;

/// Holds in a process with the role `api`. Does not hold in the context of the database, which sees these beans, too,
/// and has no settings.
public final class ApiRoleCondition implements Condition {
  @Override
  @SuppressWarnings("rawtypes") // As the framework's interface has it.
  public boolean matches(ConditionContext context) {
    return context.findBean(Settings.class).map(Settings::hasApiRole).orElse(false);
  }
}
