package dev.uplift.api.settings;

import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;

/// Holds in a process that answers people. The context of the database sees these beans, too, and
/// has no settings: there it does not hold.
public final class ApiRoleCondition implements Condition {
  @Override
  @SuppressWarnings("rawtypes") // As the framework's interface has it.
  public boolean matches(ConditionContext context) {
    return context.findBean(Settings.class).map(Settings::hasApiRole).orElse(false);
  }
}
