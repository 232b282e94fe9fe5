package dev.uplift.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.rest.CliException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TenantCommandsTest extends CommandScenario {
  private static final String CONTENTS =
      "{\"tenant\":\"acme\",\"devices\":12,\"hosts\":14,\"releases\":3,\"upgrades\":40,\"rollouts\":2}";

  @BeforeEach
  void answerWithContents() {
    stub.answerByDefault(200, CONTENTS);
  }

  @Test
  void aTenantIsDeletedByItsName() {
    assertThat(tenant("delete", "acme", "--yes")).isZero();

    assertThat(out.toString())
        .contains("the tenant acme with 12 devices, 14 hosts, 3 releases, 40 upgrades, 2 rollouts is deleted");
    assertThat(stub.requests().getLast().uri()).hasToString("/v1/tenants/acme?confirm=acme");
  }

  @Test
  void whatWouldBeDeletedIsShownFirst() {
    assertThat(tenant("delete", "acme", "--dry-run")).isZero();
    assertThat(out.toString()).contains("12 devices", "can be deleted");

    assertThat(tenant("delete", "acme")).isEqualTo(CliException.USAGE);

    assertThat(err.toString()).contains("This deletes the tenant acme with 12 devices", "needs --yes");
    assertThat(stub.requests()).hasSize(2).allMatch(request -> request.uri().getQuery().contains("validate=true"));
  }

  @Test
  void anotherTenantThanTheOneInUseIsNotDeletedByMistake() {
    assertThat(tenant("delete", "globex", "--yes")).isEqualTo(CliException.USAGE);

    assertThat(err.toString()).contains("globex: the tenant in use is acme");
    assertThat(stub.requests()).isEmpty();
  }

  private int tenant(String... arguments) {
    return upliftIn("tenant", arguments);
  }
}
