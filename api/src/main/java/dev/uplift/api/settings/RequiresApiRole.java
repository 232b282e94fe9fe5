package dev.uplift.api.settings;

import io.micronaut.context.annotation.Requires;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Is there in a process with the role `api` alone.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Requires(condition = ApiRoleCondition.class)
public @interface RequiresApiRole {}
