package dev.uplift.fleet;

import static dev.uplift.fleet.NameRule.DEVICE;
import static dev.uplift.fleet.NameRule.HOST;
import static dev.uplift.fleet.NameRule.PACKAGE;
import static dev.uplift.fleet.NameRule.TENANT;
import static dev.uplift.fleet.NameRule.VERSION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class NameRuleTest {
  static final List<Case> CASES =
      List.of(
          new Case(TENANT, "acme", true),
          new Case(TENANT, "a", true),
          new Case(TENANT, "acme-2", true),
          new Case(TENANT, "a".repeat(63), true),
          new Case(TENANT, "a".repeat(64), false),
          new Case(TENANT, "Acme", false),
          new Case(TENANT, "-acme", false),
          new Case(TENANT, "acme-", false),
          new Case(TENANT, "", false),
          new Case(TENANT, "acme\n", false),
          new Case(DEVICE, "site-7", true),
          new Case(DEVICE, "site/7", false),
          new Case(HOST, "Till_01-a", true),
          new Case(HOST, "h".repeat(63), true),
          new Case(HOST, "h".repeat(64), false),
          new Case(HOST, "_till", false),
          // In a subject, a dot separates tokens and a star matches any of them.
          new Case(HOST, "till.1", false),
          new Case(HOST, "*", false),
          new Case(PACKAGE, "uplift-agent", true),
          new Case(PACKAGE, "../etc", false),
          new Case(VERSION, "1:2", false),
          new Case(VERSION, "1.5.0~rc1+b_2-3", true),
          new Case(VERSION, "v".repeat(64), true),
          new Case(VERSION, "v".repeat(65), false),
          new Case(VERSION, "1 5", false),
          new Case(VERSION, "-1.5", false),
          new Case(VERSION, "--force", false),
          new Case(VERSION, "", false));

  @ParameterizedTest
  @FieldSource("CASES")
  void namesAreAllowedOrNot(Case one) {
    assertThat(one.names.isValid(one.name)).isEqualTo(one.allowed);
  }

  @Test
  void everyIdRejectsNamesAgainstItsRule() {
    assertThatThrownBy(() -> new DeviceId("acme", "site.7")).hasMessageContaining("device 'site.7'");
    assertThatThrownBy(() -> new DeviceId("Acme", "site-7")).hasMessageContaining("tenant 'Acme'");
    assertThatThrownBy(() -> new HostId(">")).hasMessageContaining("host '>' is not ^[A-Za-z0-9]");
    assertThatThrownBy(() -> new Release("OS", "1")).hasMessageContaining("package 'OS'");
    assertThatThrownBy(() -> new Release("os", "1/2")).hasMessageContaining("version '1/2'");
  }

  record Case(NameRule names, String name, boolean allowed) {}
}
