package dev.uplift.api.settings;

import io.micronaut.context.condition.Condition;
import io.micronaut.context.condition.ConditionContext;

/// Holds in a process that answers people.
public final class ApiRoleCondition implements Condition {
  @Override
  @SuppressWarnings("rawtypes") // As the framework's interface has it.
  public boolean matches(ConditionContext context) {
    return context.getBean(Settings.class).hasApiRole();
  }
}
