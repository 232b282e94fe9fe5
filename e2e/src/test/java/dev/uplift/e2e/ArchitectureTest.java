package dev.uplift.e2e;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.uplift.e2e.UpliftClasses.ARE_WRITTEN_BY_HAND;
import static dev.uplift.e2e.UpliftClasses.UPLIFT;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// One rule per line of the table of folders: dependencies point one way.
final class ArchitectureTest {
  @Test
  void everyModuleIsChecked() {
    assertThat(
            UPLIFT.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith("dev.uplift."))
                .map(name -> name.split("\\.", 4)[2])
                .distinct()
                .sorted()
                .toList())
        .containsExactly(
            "activities",
            "agent",
            "api",
            "cli",
            "fleet",
            "protocol",
            "services",
            "store",
            "temporaldev",
            "testservers",
            "workflows");
  }

  @Test
  void fleetNeedsNothing() {
    allOf("fleet", "java..", "org.jspecify..")
        .because("a decision that needs a framework cannot be tested as a table")
        .check(UPLIFT);
  }

  @Test
  void protocolNeedsNothing() {
    allOf("protocol", "java..", "org.jspecify..")
        .because("it is a part of the agent, whose memory is limited")
        .check(UPLIFT);
  }

  @Test
  void workflowsKnowOnlyTheFleetAndTemporal() {
    allOf(
            "workflows",
            "java..",
            "org.jspecify..",
            "dev.uplift.fleet..",
            "io.temporal..",
            "com.fasterxml.jackson.annotation..",
            "tools.jackson.databind..")
        .because("a history outlives every transport")
        .check(UPLIFT);
  }

  @Test
  void storeKnowsOnlyTheFleet() {
    onlyOursFrom("store", "fleet").because("a row outlives the code that wrote it").check(UPLIFT);
  }

  @Test
  void servicesKnowNoWorkflows() {
    onlyOursFrom("services", "fleet", "protocol", "store").because("REST uses them without Temporal").check(UPLIFT);
    noClasses()
        .that()
        .resideInAPackage(ours("services"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.temporal..")
        .because("REST uses them without Temporal")
        .check(UPLIFT);
  }

  @Test
  void activitiesJoinWorkflowsProtocolStoreAndServices() {
    onlyOursFrom("activities", "fleet", "workflows", "protocol", "store", "services")
        .because("the API and its framework are the outermost layer")
        .check(UPLIFT);
  }

  @Test
  void servicesAndActivitiesKnowTheContainerOnly() {
    noClasses()
        .that()
        .resideInAnyPackage(ours("services"), ours("activities"))
        .and(ARE_WRITTEN_BY_HAND)
        .should()
        .dependOnClassesThat(resideInAnyPackage("io.micronaut..").and(resideOutsideOfPackage("io.micronaut.context..")))
        .because("they are beans, and constructors build them in tests; HTTP is a matter of `api`")
        .check(UPLIFT);
  }

  @Test
  void agentKnowsOnlyTheProtocol() {
    allOf("agent", "java..", "javax.net.ssl..", "org.jspecify..", "dev.uplift.protocol..", "io.nats..")
        .because("every class that it loads takes memory on every device")
        .check(UPLIFT);
  }

  @Test
  void apiKnowsNeitherAgentNorCommandLine() {
    onlyOursFrom("api", "fleet", "protocol", "workflows", "store", "services", "activities")
        .because("agents are reached over NATS, people over REST")
        .check(UPLIFT);
  }

  @Test
  void commandLineKnowsOnlySignatures() {
    onlyOursFrom("cli", "protocol").because("it is a REST client and nothing else, except that it signs").check(UPLIFT);
  }

  @Test
  void localStackKnowsOnlyTheCommandLineAndTheProtocol() {
    onlyOursFrom("temporaldev", "protocol", "cli")
        .because("the demo is a REST client like any other; it starts programs and creates keys")
        .check(UPLIFT);
  }

  @Test
  void serversOfTestsKnowOnlyTheLocalStack() {
    onlyOursFrom("testservers", "temporaldev")
        .because("the tests of every module use them, and no program does")
        .check(UPLIFT);
  }

  @Test
  void workflowsAndDecisionsReadNoClockAndNoRandomNumbers() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.uplift.workflows..", "dev.uplift.fleet..")
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(UUID.class, "randomUUID")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Random.class)
        .because("a replay would read other values; Workflow.currentTimeMillis is in the history")
        .check(UPLIFT);
  }

  @Test
  void agentUsesTheClockOfItsHostForMessagesToPeopleOnly() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.uplift.agent..", "dev.uplift.protocol..")
        .and()
        .resideOutsideOfPackage("dev.uplift.agent.simulator..")
        // Log lines, messages before the server's time is known, since when an owner holds, and the age of old
        // downloads.
        .and()
        .doNotHaveFullyQualifiedName("dev.uplift.agent.log.PlainLogger")
        .and()
        .doNotHaveFullyQualifiedName("dev.uplift.agent.report.ServerClock")
        .and()
        .doNotHaveFullyQualifiedName("dev.uplift.agent.Standby")
        .and()
        .doNotHaveFullyQualifiedName("dev.uplift.agent.HoldCommand")
        .and()
        .doNotHaveFullyQualifiedName("dev.uplift.agent.download.Downloader")
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .because("it may be off by a day, or in 1970")
        .check(UPLIFT);
  }

  @Test
  void serversAndAgentsDoNotWaitByMonitors() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.uplift.temporaldev..", "dev.uplift.testservers..")
        .should()
        .callMethod(Object.class, "wait")
        .orShould()
        .callMethod(Object.class, "wait", long.class)
        .orShould()
        .callMethod(Object.class, "wait", long.class, int.class)
        .because("their threads are virtual, and before Java 25.0.4 some of those wait for ever: JDK-8373120")
        .check(UPLIFT);
  }

  @Test
  void workflowsKnowNoZoneRules() {
    noClasses()
        .that()
        .resideInAPackage("dev.uplift.workflows..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ZoneId.class)
        .because("the rules of a zone change between a run and its replay")
        .check(UPLIFT);
  }

  @Test
  void packagesHaveNoCircle() {
    slices().matching("dev.uplift.(**)").should().beFreeOfCycles().check(UPLIFT);
  }

  @Test
  void classesWithoutSubclassesAreFinal() {
    classes()
        .that()
        .areNotInterfaces()
        .and()
        .areNotAnonymousClasses()
        .and()
        .resideInAnyPackage(
            "dev.uplift.fleet..",
            "dev.uplift.workflows..",
            "dev.uplift.protocol..",
            "dev.uplift.store..",
            "dev.uplift.services..",
            "dev.uplift.activities..")
        .and(DescribedPredicate.describe("have no subclass", type -> type.getAllSubclasses().isEmpty()))
        .and(ARE_WRITTEN_BY_HAND)
        // Micronaut Data generates the implementations of repositories.
        .and()
        .doNotHaveModifier(JavaModifier.ABSTRACT)
        .should()
        .haveModifier(JavaModifier.FINAL)
        .because("a class that may be extended is a promise")
        .check(UPLIFT);
  }

  @Test
  void aPackageHasAtMost25Types() {
    classes()
        .that(ARE_WRITTEN_BY_HAND)
        .and()
        .areTopLevelClasses()
        .should(beInAPackageOfAtMost(25))
        .because("a larger package cannot be read, only searched")
        .check(UPLIFT);
  }

  private static ArchCondition<JavaClass> beInAPackageOfAtMost(int types) {
    return new ArchCondition<>("be in a package of at most " + types + " types") {
      private Map<String, Long> sizes = Map.of();

      @Override
      public void init(Collection<JavaClass> all) {
        sizes = all.stream().collect(groupingBy(JavaClass::getPackageName, counting()));
      }

      @Override
      public void check(JavaClass type, ConditionEvents events) {
        String name = type.getPackageName();
        long size = sizes.getOrDefault(name, 0L);
        events.add(new SimpleConditionEvent(type, size <= types, name + " has " + size + " types"));
      }
    };
  }

  private static ArchRule allOf(String module, String... mayUse) {
    return classes()
        .that()
        .resideInAPackage(ours(module))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(Stream.concat(Stream.of(ours(module)), Arrays.stream(mayUse)).toArray(String[]::new));
  }

  private static ArchRule onlyOursFrom(String module, String... mayUse) {
    String[] modules =
        Stream.concat(Stream.of(module), Arrays.stream(mayUse)).map(ArchitectureTest::ours).toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage(ours(module))
        .should()
        .onlyDependOnClassesThat(resideOutsideOfPackage("dev.uplift..").or(resideInAnyPackage(modules)));
  }

  private static String ours(String module) {
    return "dev.uplift." + module + "..";
  }
}
