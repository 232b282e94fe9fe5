package dev.uplift.fleet.rollout;

/// Whether an expression is true of a device. The same two always get the same answer.
@FunctionalInterface
public interface Matcher {
  boolean matches(String expression, Member member);
}
