package dev.uplift.e2e;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static dev.uplift.e2e.UpliftClasses.ARE_WRITTEN_BY_HAND;
import static dev.uplift.e2e.UpliftClasses.UPLIFT;
import static java.util.stream.Collectors.groupingBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A type has one name, a noun, in the words of the field.
final class TypeNamesTest {
  /// Simple names that several types may have, each with its reason.
  private static final Map<String, String> NAMESAKES = Map.of();

  /// Names that end in `ing` without being gerunds, each with its meaning.
  private static final Map<String, String> NOUNS =
      Map.of(
          "Anything", "a pronoun",
          "Matching", "the devices of a wave that an expression matches",
          "Running", "the status of a workflow");

  /// Metaphors that must not be type names. Each has a usual word.
  private static final String METAPHORS =
      "Allowance|Away|Beat|Beats|Bell|Broom|Chain|Clearance|Course|Crowd|Desk|Doorbell|Errand|Fate"
          + "|Fates|Foresight|Gatekeeper|Greeting|Helm|Hindrance|Judged|Judgement|Keeper|Knob"
          + "|Letter|Looker|Lookout|Mint|Minted|Mood|Notebook|Outlook|Pace|Patience|Patient|Pen"
          + "|Reach|Realm|Rehearsal|Remedy|Sight|Sights|Sifted|Slot|Standing|Steer|Steering|Teller"
          + "|Tempo|Ticket|Tick|Ticks|Turnstile|Verdict|Voice|Vouched|Wish|Wishes";

  @Test
  void aSimpleNameMeansOneThing() {
    classes()
        .that(ARE_WRITTEN_BY_HAND)
        .and()
        .areTopLevelClasses()
        .should(haveASimpleNameOfTheirOwn())
        .because("a search for a name should lead to one type in the whole repository")
        .check(UPLIFT);
  }

  @Test
  void aTypeIsNamedByANoun() {
    classes()
        .that(ARE_WRITTEN_BY_HAND)
        .should(haveNoNameThatMatches("[A-Z][a-z]+ing(On|Off|Back|Out|Up|In|Down)?", NOUNS))
        .because("a bare gerund (Starting, GoingBack) does not say what the thing is")
        .check(UPLIFT);
  }

  @Test
  void aTypeIsNamedInTheWordsOfTheField() {
    classes()
        .that(ARE_WRITTEN_BY_HAND)
        .should(haveNoNameThatMatches("(.*[a-z0-9])?(" + METAPHORS + ")([A-Z].*)?", Map.of()))
        .because("an engineer searches for the usual word, not for our metaphor")
        .check(UPLIFT);
  }

  private static ArchCondition<JavaClass> haveASimpleNameOfTheirOwn() {
    return new ArchCondition<>("have a simple name of their own") {
      private Map<String, List<JavaClass>> byName = Map.of();

      @Override
      public void init(Collection<JavaClass> all) {
        byName = all.stream().collect(groupingBy(JavaClass::getSimpleName));
      }

      @Override
      public void check(JavaClass type, ConditionEvents events) {
        List<JavaClass> namesakes = byName.getOrDefault(type.getSimpleName(), List.of());
        boolean allowed = namesakes.size() == 1 || NAMESAKES.containsKey(type.getSimpleName());
        events.add(new SimpleConditionEvent(type, allowed, "one name, several types " + namesakes));
      }
    };
  }

  private static ArchCondition<JavaClass> haveNoNameThatMatches(String pattern, Map<String, String> exceptions) {
    return new ArchCondition<>("have no simple name that matches " + pattern) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        String name = type.getSimpleName();
        boolean allowed = !name.matches(pattern) || exceptions.containsKey(name);
        events.add(new SimpleConditionEvent(type, allowed, type.getName()));
      }
    };
  }
}
