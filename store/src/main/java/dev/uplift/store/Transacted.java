package dev.uplift.store;

import io.micronaut.aop.Around;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Makes each call on a repository one transaction or a part of the one that the thread is in, as
/// [Database#inTransaction]: collisions are repeated, and an unreachable database becomes [DatabaseUnavailable].
@Around
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Transacted {}
