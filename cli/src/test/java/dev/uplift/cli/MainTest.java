package dev.uplift.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// The command as a shell calls it: arguments in, output, exit code and requests out.
class MainTest extends CommandScenario {
  @Test
  void everyCommandHasHelpInWords() {
    CommandLine main = Main.commandLine();
    List<CommandLine> all = new ArrayList<>(List.of(main));
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).getSubcommands().values());
    }
    assertThat(all)
        .allSatisfy(command ->
            assertThat(command.getCommandSpec().usageMessage().description())
                .as(command.getCommandSpec().qualifiedName())
                .isNotEmpty());
  }

  @Test
  void aCommandThatIsCalledWronglySaysSoInOneLine() {
    assertThat(run("release", "sign", "--kind", "bundle")).isEqualTo(2);

    assertThat(err.toString())
        .startsWith("uplift: Missing required options: ")
        .endsWith("`uplift release sign --help` says more\n");
  }

  @Test
  void withoutAnAddressACommandSaysWhereItComesFrom() {
    assertThat(run("host", "list", "--token-file", "t", "--tenant", "acme")).isEqualTo(2);

    assertThat(err.toString())
        .isEqualTo("uplift: needs --url or UPLIFT_URL; for a stack of `uplift up`: . FOLDER/env\n");
  }

  @Test
  void aReleaseIsSignedAndPublishedArtifactFirst() throws IOException {
    Path artifact = Files.writeString(folder.resolve("shopd.tar.gz"), "test");
    assertThat(run("keys", "create", folder.resolve("mine").toString())).isZero();
    assertThat(
            run(
                "release",
                "sign",
                "--key=" + folder.resolve("mine.key.pem"),
                "--package=shopd",
                "--kind=bundle",
                "--version=1.5.0",
                "--sequence=15",
                "--argument=health_timeout_seconds=5",
                "--artifact=" + artifact,
                "--folder=" + folder))
        .as(err.toString())
        .isZero();
    stub.answers(201, "").answers(201, "{\"package\":\"shopd\",\"version\":\"1.5.0\"}");

    assertThat(uplift("release", "publish", folder.toString(), "--artifact=" + artifact)).isZero();

    assertThat(stub.requestLines().getFirst())
        .isEqualTo(
            "PUT /v1/tenants/acme/artifacts/"
                + "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 test");
    assertThat(stub.requestLines().getLast())
        .startsWith("POST /v1/tenants/acme/releases {\"release\":\"{\\\"package\\\":\\\"shopd\\\"")
        .contains("\\\"health_timeout_seconds\\\":\\\"5\\\"");
    assertThat(out.toString()).endsWith("shopd 1.5.0 is published\n");
  }

  @Test
  void anotherFileThanTheSignedOneIsNotSent() throws IOException {
    Files.writeString(folder.resolve("release.json"), "{\"artifact\":{\"sha256\":\"00\"}}");
    Files.writeString(folder.resolve("release.sig"), "");

    assertThat(uplift("release", "publish", folder.toString(), "--artifact=" + folder.resolve("token"))).isEqualTo(2);

    assertThat(err.toString()).contains("token is not the signed file");
    assertThat(stub.requestLines()).isEmpty();
  }

  @Test
  void noKeyIsOverwritten() {
    assertThat(run("keys", "create", folder.resolve("mine").toString())).isZero();
    assertThat(run("keys", "create", folder.resolve("mine").toString())).isEqualTo(1);

    assertThat(err.toString()).contains("mine.key.pem already exists, and no key is overwritten");
  }

  @Test
  void anUpgradeIsRevertedByAnotherUpgrade() {
    stub.answers(201, "{\"id\":\"u-2\",\"revert_of\":\"u-1\"}");

    assertThat(uplift("upgrade", "revert", "u-1", "--id=u-2", "--reason=no price list", "--yes"))
        .as(err.toString())
        .isZero();

    assertThat(out.toString()).isEqualTo("u-2\n");
    assertThat(stub.requestLines())
        .containsExactly("POST /v1/tenants/acme/upgrades/u-1/revert {\"reason\":\"no price list\"}");
  }

  @Test
  void nothingIsRevertedWithoutConfirmation() {
    assertThat(uplift("upgrade", "revert", "u-1")).isEqualTo(2);

    assertThat(err.toString()).contains("This reverts the upgrade u-1: needs --yes");
    assertThat(stub.requestLines()).isEmpty();
  }
}
