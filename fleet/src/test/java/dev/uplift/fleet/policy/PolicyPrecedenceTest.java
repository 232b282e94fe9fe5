package dev.uplift.fleet.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Among them the worked cases of Open Horizon, OH-67 to OH-70, as decision D-1 settles them: an upgrade that has begun
/// is never overtaken; of those that have not, the policy that was enabled last decides.
final class PolicyPrecedenceTest {
  private static final Policy FIRST = policy("first", 0, 1);
  private static final Policy SECOND = policy("second", 0, 2);
  private static final Policy THIRD = policy("third", 0, 3);
  private static final Policy URGENT = policy("urgent", 10, 0);
  private static final Policy FALLBACK =
      new Policy(new PolicyId("acme", "fallback"), true, 1000, Instant.ofEpochSecond(9));

  static final List<Case> CASES =
      List.of(
          new Case("none applies", List.of(), "", ""),
          new Case("one applies", List.of(FIRST), "", "first"),
          new Case(
              "OH-67: the first has begun, and the third, which came after, waits",
              List.of(FIRST, THIRD),
              "first",
              "first"),
          new Case("OH-67: once the first has ended, the third decides", List.of(FIRST, THIRD), "", "third"),
          new Case(
              "OH-69: both are learned of together, and only the newer is enacted",
              List.of(FIRST, SECOND),
              "",
              "second"),
          new Case("OH-69: the first was begun before the second was known", List.of(FIRST, SECOND), "first", "first"),
          new Case(
              "OH-68: enabled seconds apart, nothing is reversed while it runs",
              List.of(FIRST, SECOND, THIRD),
              "second",
              "second"),
          new Case("OH-70: labels brought a policy in that was enabled before", List.of(SECOND, FIRST), "", "second"),
          new Case(
              "OH-70: a policy is enabled again, and is the newest by that",
              List.of(SECOND, policy("first", 0, 4)),
              "",
              "first"),
          new Case("the higher priority decides, however old it is", List.of(URGENT, THIRD), "", "urgent"),
          new Case("what has begun is not overtaken by a higher priority", List.of(URGENT, FIRST), "first", "first"),
          new Case(
              "what has begun for a policy that applies no more decides nothing", List.of(SECOND), "first", "second"),
          new Case("a fallback gives way to any other", List.of(FALLBACK, FIRST), "", "first"),
          new Case("a fallback applies where no other does", List.of(FALLBACK), "", "fallback"),
          new Case(
              "enabled at the same moment, the name decides", List.of(policy("b", 0, 1), policy("a", 0, 1)), "", "a"));

  @ParameterizedTest
  @FieldSource("CASES")
  void onePolicyDecides(Case one) {
    assertThat(
            PolicyPrecedence.decide(one.applying(), Optional.of(one.begun()).filter(name -> !name.isEmpty()))
                .map(policy -> policy.id().name())
                .orElse(""))
        .isEqualTo(one.decides());
  }

  @Test
  void theOrderOfTheQuestionDoesNotMatter() {
    List<Policy> applying = new ArrayList<>(List.of(FIRST, SECOND, THIRD, URGENT, FALLBACK));
    List<Policy> expected = List.of(URGENT, THIRD, SECOND, FIRST, FALLBACK);

    for (int i = 0; i < applying.size(); i++) {
      Collections.rotate(applying, 1);
      assertThat(PolicyPrecedence.inOrder(applying, Optional.empty())).isEqualTo(expected);
    }
    assertThat(PolicyPrecedence.inOrder(applying, Optional.of("first")).getFirst()).isEqualTo(FIRST);
  }

  private static Policy policy(String name, int priority, long enabledAt) {
    return new Policy(new PolicyId("acme", name), false, priority, Instant.ofEpochSecond(enabledAt));
  }

  record Case(String name, List<Policy> applying, String begun, String decides) {
    @Override
    public String toString() {
      return name;
    }
  }
}
