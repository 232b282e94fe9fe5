package dev.uplift.store;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a method of a [Transacted] repository that is of use only as a part of a larger transaction, such as one that
/// takes a lock. Outside of [Database#inTransaction] it throws [IllegalStateException].
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface RequiresTransaction {}
