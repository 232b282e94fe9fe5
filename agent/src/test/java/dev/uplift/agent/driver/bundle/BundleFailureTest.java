package dev.uplift.agent.driver.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.uplift.agent.download.FaultyHttpServer;
import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.files.DiskSpace;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.files.ObservedFileOps;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Failures of a bundle, and their messages.
final class BundleFailureTest extends BundleScenario {
  @Test
  void anUnhealthyVersionIsAFinalErrorAndIsNotRolledBackByTheDriver() throws IOException {
    ReleaseManifest release = serveBroken("2.0");
    prepare(release);

    assertThat(failure(upgrade(release))).isEqualTo("health-failed final");
    assertThat(host.driver().inspect().version()).isEqualTo("2.0");

    assertThat(rollback("1.0", release)).isEqualTo(DONE);
    assertThat(host.driver().inspect()).isEqualTo(new PackageState("1.0", "", false));
    assertThat(host.servedVersion()).isEqualTo("1.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "versions"})
  void aFolderThatOthersMayChangeIsNotRunFrom(String path) throws IOException {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));
    prepare(release);
    Path shared = host.shopFolder().resolve(path);
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThat(host.driver().inspect().version()).isEqualTo(PackageState.UNKNOWN);
    CommandResult refused = upgrade(release);
    assertThat(failure(refused)).isEqualTo("insecure-permissions needs-person");
    assertThat(((CommandResult.Failed) refused).text()).contains("can be changed by other users");
    assertThat(host.servedVersion()).isEqualTo("1.0");

    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(host.driver().inspect().version()).isEqualTo("1.0");
    assertThat(upgrade(release)).isEqualTo(DONE);
  }

  @Test
  void aVersionThatOthersMayChangeIsNotReturnedTo() throws IOException {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));
    Path first = host.shopFolder().resolve("versions/1.0");
    Files.setPosixFilePermissions(first, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(host.driver().inspect().version()).isEqualTo(PackageState.UNKNOWN);
    prepare(release);
    upgrade(release);

    assertThat(failure(rollback("1.0", release))).isEqualTo("insecure-permissions needs-person");
    assertThat(host.driver().inspect().version()).isEqualTo("2.0");

    Files.setPosixFilePermissions(first, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(rollback("1.0", release)).isEqualTo(DONE);
  }

  /// A service that keeps its files beside its program does not become root.
  @Test
  void aFolderOfAnotherUserIsNotRunFrom() throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root gives a folder away");
    Files.setAttribute(host.shopFolder(), "unix:uid", 65534);

    assertThat(host.driver().inspect().version()).isEqualTo(PackageState.UNKNOWN);
    assertThat(failure(prepare(serve("2.0", ShopHost.archive("2.0"))))).isEqualTo("insecure-permissions needs-person");
  }

  @Test
  void aHealthCommandThatHangsIsKilledAndIsAnError() throws IOException {
    ReleaseManifest release =
        serve(
            "2.0",
            ShopHost.archive("2.0"),
            Map.of(
                "health",
                "echo $$ >../../hanging; sleep 1000",
                "health_check_timeout_seconds",
                "3",
                "health_timeout_seconds",
                "3"));
    prepare(release);

    CommandResult commandResult = upgrade(release);

    assertThat(failure(commandResult)).isEqualTo("health-failed final");
    assertThat(((CommandResult.Failed) commandResult).text()).contains("took too long and was killed");
    long hanging = Long.parseLong(Files.readString(host.shopFolder().resolve("hanging")).strip());
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> ProcessHandle.of(hanging).filter(ProcessHandle::isAlive).isEmpty());
  }

  @Test
  void aRestartThatFailsIsAFinalErrorWithItsLog() {
    ReleaseManifest release =
        serve("2.0", ShopHost.archive("2.0"), Map.of("restart", "echo no port to listen on >&2; exit 3"));
    prepare(release);
    FakeJob job = job(CommandAction.UPGRADE, release);

    assertThat(failure(host.driver().upgrade(job))).isEqualTo("restart-failed final");
    assertThat(job.logLines()).containsExactly("no port to listen on");
  }

  @Test
  void aRestartThatTakesTooLongIsKilled() {
    ReleaseManifest release =
        serve("2.0", ShopHost.archive("2.0"), Map.of("restart", "sleep 1000", "restart_timeout_seconds", "1"));
    prepare(release);

    assertThat(failure(upgrade(release))).isEqualTo("restart-failed final");
  }

  @Test
  void aServiceThatSaysItIsAnotherVersionIsNotBelievedToBeTheNewOne() {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"), Map.of("version", "echo 1.9"));
    prepare(release);

    assertThat(failure(upgrade(release))).isEqualTo("version-mismatch final");
    assertThat(host.driver().inspect().version()).isEqualTo("1.9");
  }

  @Test
  void whatWasNotPreparedIsNotUpgradedTo() throws IOException {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));
    assertThat(failure(upgrade(release))).isEqualTo("not-prepared final");

    prepare(release);
    ReleaseManifest other = serveBroken("2.0");
    assertThat(failure(upgrade(other))).isEqualTo("not-prepared final");
    assertThat(host.current()).isEqualTo("1.0");
    assertThat(host.starts()).isEmpty();
  }

  @Test
  void whatTheHostWouldGoBackToIsNotReplaced() {
    ReleaseManifest two = serve("2.0", ShopHost.archive("2.0"));
    prepare(two);
    upgrade(two);
    ReleaseManifest three = serve("3.0", ShopHost.archive("3.0"));
    prepare(three);
    upgrade(three);

    assertThat(failure(prepare(serveBroken("2.0")))).isEqualTo("version-in-use final");
  }

  @Test
  void aVersionThatIsGoneIsDeclinedAndNothingIsTouched() {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));
    prepare(release);
    upgrade(release);
    ReleaseManifest next = serve("3.0", ShopHost.archive("3.0"));
    prepare(next);

    assertThat(failure(rollback("0.9", release))).isEqualTo("version-not-found declined");
    assertThat(host.current()).isEqualTo("2.0");
    assertThat(upgrade(next)).isEqualTo(DONE);
  }

  @Test
  void aBrokenDownloadIsRetryableAndResumed() {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));
    server(release).onNextRequest(FaultyHttpServer.breakAfter(50));

    assertThat(failure(prepare(release))).isEqualTo("download-failed retryable");
    assertThat(prepare(release)).isEqualTo(DONE);
    assertThat(server(release).requests()).containsExactly("-", "bytes=50-");
  }

  @Test
  void otherBytesThanWereSignedAreAFinalError() {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));
    byte[] other = ShopHost.archive("2.0");
    other[30] ^= 1;
    server(release).serve(other, "\"other\"");

    assertThat(failure(prepare(release))).isEqualTo("wrong-digest final");
  }

  @Test
  void anArchiveThatClimbsOutIsAFinalErrorAndLeavesNothing() {
    byte[] evil = new TarBuilder().file("fine", "").file("../../../evil", "evil").tarGz();
    ReleaseManifest release = serve("2.0", evil);

    assertThat(failure(prepare(release))).isEqualTo("invalid-archive final");
    assertThat(folder.resolve("evil")).doesNotExist();
    assertThat(host.shopFolder().resolve("versions")).isDirectoryNotContaining("glob:**2.0*");
    assertThat(host.cache()).isEmptyDirectory();
  }

  @Test
  void moreThanTheReleaseSaysIsABadArchive() {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"), Map.of("unpacked_bytes", "10"));

    assertThat(failure(prepare(release))).isEqualTo("invalid-archive final");
  }

  @Test
  void aVersionThatIsNoNameForAFolderIsRefused() {
    ReleaseManifest release = serve("..", ShopHost.archive("2.0"));

    assertThat(failure(prepare(release))).isEqualTo("invalid-version final");
    assertThat(failure(upgrade(release))).isEqualTo("invalid-version final");
    assertThat(failure(rollback("..", release))).isEqualTo("invalid-version final");
  }

  @Test
  void anArgumentWithoutSenseNamesItself() {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"), Map.of("restart_timeout_seconds", "soon"));
    prepare(release);

    CommandResult commandResult = upgrade(release);

    assertThat(failure(commandResult)).isEqualTo("invalid-argument final");
    assertThat(((CommandResult.Failed) commandResult).text())
        .isEqualTo("restart_timeout_seconds: expected a whole number from 0 on, found \"soon\"");
  }

  @Test
  void whereThereIsNoRoomNothingIsFetched() {
    host =
        new ShopHost(
            folder,
            new ObservedFileOps(
                new ObservedFileOps.Observer() {
                  @Override
                  public DiskSpace space(DiskSpace found) {
                    return new DiskSpace(64 << 20, 100 << 20);
                  }
                }));
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));

    assertThat(failure(prepare(release))).isEqualTo("insufficient-space needs-person");
    assertThat(server(release).requests()).isEmpty();
  }

  @Test
  void aDiskThatGetsFullAtAnyWriteIsAnErrorForAPersonAndLeavesTheHostAsItWas() throws IOException {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));
    int writes = 0;
    while (true) {
      int failing = ++writes;
      host = new ShopHost(folder.resolve("disk-" + failing), fullAtWrite(failing));
      host.install("1.0");
      CommandResult commandResult = prepare(release);
      if (commandResult.equals(DONE)) {
        break;
      }
      assertThat(failure(commandResult)).isEqualTo("insufficient-space needs-person");
      assertThat(host.current()).isEqualTo("1.0");
      assertThat(host.shopFolder().resolve("versions")).isDirectoryNotContaining("glob:**unfinished");
    }
    assertThat(writes).as("tag, part, two files, marker, then none fails").isEqualTo(6);
    assertThat(host.driver().inspect()).isEqualTo(new PackageState("1.0", "2.0", false));
  }

  @Test
  void aCurrentThatIsNoLinkIsForAPersonToLookAt() throws IOException {
    Files.delete(host.shopFolder().resolve("current"));
    Files.createDirectory(host.shopFolder().resolve("current"));

    assertThat(failure(prepare(serve("2.0", ShopHost.archive("2.0"))))).isEqualTo("invalid-layout needs-person");
  }

  private static FileOps fullAtWrite(int failing) {
    var writes = new AtomicInteger();
    return new ObservedFileOps(
        new ObservedFileOps.Observer() {
          @Override
          public void before(String operation, Path path) throws IOException {
            if (operation.equals("write") && writes.incrementAndGet() == failing) {
              throw new IOException(path + ": No space left on device");
            }
          }
        });
  }
}
