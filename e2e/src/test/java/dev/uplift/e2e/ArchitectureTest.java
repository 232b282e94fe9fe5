package dev.uplift.e2e;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// One rule per line of the table of folders: dependencies point one way.
final class ArchitectureTest {
  private static final JavaClasses UPLIFT =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.uplift");

  @Test
  void everyModuleIsLookedAt() {
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
            "store",
            "temporaldev",
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
        .because("it is a part of the agent, whose memory is counted")
        .check(UPLIFT);
  }

  @Test
  void workflowsKnowTheFleetAndTemporalOnly() {
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
  void storeKnowsTheFleetOnly() {
    onlyOursFrom("store", "fleet").because("a row outlives what wrote it").check(UPLIFT);
  }

  @Test
  void activitiesJoinWorkflowsProtocolAndStore() {
    onlyOursFrom("activities", "fleet", "workflows", "protocol", "store")
        .because("the API and its framework are the outermost ring")
        .check(UPLIFT);
  }

  @Test
  void activitiesKnowNoWebFramework() {
    noClasses()
        .that()
        .resideInAPackage("dev.uplift.activities..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.micronaut..")
        .because("they are built by constructors, in tests as in the server")
        .check(UPLIFT);
  }

  @Test
  void agentKnowsTheProtocolOnly() {
    allOf(
            "agent",
            "java..",
            "javax.net.ssl..",
            "org.jspecify..",
            "dev.uplift.protocol..",
            "io.nats..")
        .because("every class it loads is paid for on every device")
        .check(UPLIFT);
  }

  @Test
  void apiKnowsNeitherAgentNorCommandLine() {
    onlyOursFrom("api", "fleet", "protocol", "workflows", "store", "activities")
        .because("agents are reached over NATS, people over REST")
        .check(UPLIFT);
  }

  @Test
  void commandLineKnowsTheLocalStackAndSignaturesOnly() {
    onlyOursFrom("cli", "temporaldev", "protocol")
        .because(
            "it can do what everybody can do over REST, and no more; and sign, as agents check")
        .check(UPLIFT);
  }

  @Test
  void localStackKnowsTheProtocolOnly() {
    onlyOursFrom("temporaldev", "protocol")
        .because("it starts programs, it is none of them; it makes their keys")
        .check(UPLIFT);
  }

  @Test
  void neitherWorkflowsNorDecisionsReadTheClockOrTheDice() {
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
        .because("a replay reads another time; Workflow.currentTimeMillis is in the history")
        .check(UPLIFT);
  }

  @Test
  void agentAsksTheClockOfItsHostOnlyForWhatPeopleRead() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.uplift.agent..", "dev.uplift.protocol..")
        .and()
        .resideOutsideOfPackage("dev.uplift.agent.simulator..")
        // Lines of the log, what is said before the server's time is known, and which old downloads
        // may go.
        .and()
        .doNotHaveFullyQualifiedName("dev.uplift.agent.log.PlainLogger")
        .and()
        .doNotHaveFullyQualifiedName("dev.uplift.agent.report.ServerClock")
        .and()
        .doNotHaveFullyQualifiedName("dev.uplift.agent.Standby")
        .and()
        .doNotHaveFullyQualifiedName("dev.uplift.agent.log.PlainLogger")
        .and()
        .doNotHaveFullyQualifiedName("dev.uplift.agent.download.Downloader")
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .because("it may be a day wrong, or in 1970")
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
  void classesThatNobodyExtendsAreFinal() {
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
            "dev.uplift.activities..")
        .and(
            DescribedPredicate.describe(
                "have no subclass", type -> type.getAllSubclasses().isEmpty()))
        .should()
        .haveModifier(JavaModifier.FINAL)
        .because("what may be extended is a promise")
        .check(UPLIFT);
  }

  private static ArchRule allOf(String module, String... mayUse) {
    return classes()
        .that()
        .resideInAPackage(ours(module))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            Stream.concat(Stream.of(ours(module)), Arrays.stream(mayUse)).toArray(String[]::new));
  }

  private static ArchRule onlyOursFrom(String module, String... mayUse) {
    String[] modules =
        Stream.concat(Stream.of(module), Arrays.stream(mayUse))
            .map(ArchitectureTest::ours)
            .toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage(ours(module))
        .should()
        .onlyDependOnClassesThat(
            resideOutsideOfPackage("dev.uplift..").or(resideInAnyPackage(modules)));
  }

  private static String ours(String module) {
    return "dev.uplift." + module + "..";
  }
}
