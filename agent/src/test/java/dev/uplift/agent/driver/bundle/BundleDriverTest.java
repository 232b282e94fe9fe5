package dev.uplift.agent.driver.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BundleDriverTest extends BundleScenario {
  @Test
  void aHostGetsTheNewVersionAndServesIt() throws IOException {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));

    assertThat(prepare(release)).isEqualTo(DONE);
    assertThat(host.driver().inspect()).isEqualTo(new PackageState("1.0", "2.0", false));
    assertThat(host.servedVersion()).isEqualTo("1.0");

    assertThat(upgrade(release)).isEqualTo(DONE);
    assertThat(host.driver().inspect()).isEqualTo(new PackageState("2.0", "", false));
    assertThat(host.servedVersion()).isEqualTo("2.0");
    assertThat(host.driver().commit(job(CommandAction.COMMIT, release))).isEqualTo(DONE);
    assertThat(host.shopFolder().resolve("previous")).isSymbolicLink();
    assertThat(Files.readSymbolicLink(host.shopFolder().resolve("previous"))).isEqualTo(Path.of("versions/1.0"));
    assertThat(host.shopFolder().resolve("versions/2.0/bin/shopd")).isExecutable();
  }

  @Test
  void everythingAskedTwiceIsDoneOnce() throws IOException {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));

    prepare(release);
    assertThat(prepare(release)).isEqualTo(DONE);
    upgrade(release);
    assertThat(upgrade(release)).isEqualTo(DONE);
    assertThat(prepare(release)).isEqualTo(DONE);
    assertThat(host.starts()).containsExactly("2.0");
    assertThat(server(release).requests()).hasSize(1);

    rollback("1.0", release);
    assertThat(rollback("1.0", release)).isEqualTo(DONE);
    assertThat(host.starts()).containsExactly("2.0", "1.0");
  }

  @Test
  void theArtifactIsNotKeptTwice() {
    prepare(serve("2.0", ShopHost.archive("2.0")));

    assertThat(host.cache()).isEmptyDirectory();
  }

  @Test
  void aHealthCommandIsTriedUntilItPasses() throws IOException {
    ReleaseManifest release =
        serve(
            "2.0",
            ShopHost.archive("2.0"),
            Map.of("health", "echo >>../../tries; test $(wc -l <../../tries) -ge 3", "health_timeout_seconds", "30"));
    prepare(release);

    assertThat(upgrade(release)).isEqualTo(DONE);
    assertThat(host.shopFolder().resolve("tries")).hasContent("\n\n\n");
  }

  @Test
  void aServiceThatDoesNotSayItsVersionRunsAnUnknownOne() throws IOException {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"), Map.of("version", "cat ../../serving"));
    prepare(release);
    upgrade(release);
    assertThat(host.driver().inspect().version()).isEqualTo("2.0");

    Files.delete(host.shopFolder().resolve("serving"));

    assertThat(host.driver().inspect().version()).isEqualTo(PackageState.UNKNOWN);
  }

  @Test
  void otherBytesUnderTheSameVersionReplaceWhatWasStaged() throws IOException {
    prepare(serveBroken("2.0"));
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));

    assertThat(prepare(release)).isEqualTo(DONE);
    assertThat(upgrade(release)).isEqualTo(DONE);
    assertThat(host.shopFolder().resolve("versions/2.0/broken")).doesNotExist();
  }

  @Test
  void rollbackOfAnUntouchedHostDropsWhatWasStaged() throws IOException {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));
    prepare(release);

    assertThat(rollback("1.0", release)).isEqualTo(DONE);
    assertThat(host.driver().inspect()).isEqualTo(new PackageState("1.0", "", false));
    assertThat(host.shopFolder().resolve("versions")).isDirectoryNotContaining("glob:**2.0*");
    assertThat(host.starts()).isEmpty();
  }

  @Test
  void goingBackNeedsNoDownload() {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));
    prepare(release);
    upgrade(release);
    server(release).close();

    assertThat(rollback("1.0", release)).isEqualTo(DONE);
    assertThat(host.current()).isEqualTo("1.0");
  }

  @Test
  void aVersionIsRunByTheArgumentsItCameWith() throws IOException {
    ReleaseManifest two =
        serve("2.0", ShopHost.archive("2.0"), Map.of("restart", "echo two >>../../starts; cp version ../../serving"));
    prepare(two);
    upgrade(two);
    ReleaseManifest three = serve("3.0", ShopHost.archive("3.0"));
    prepare(three);
    upgrade(three);

    rollback("2.0", three);

    assertThat(host.starts()).containsExactly("two", "3.0", "two");
  }

  @Test
  void whereNothingWasInstalledBeforeGoingBackIsToHaveNothing() throws IOException {
    host = new ShopHost(folder.resolve("bare"), FileOps.onDisk());
    ReleaseManifest release = serve("1.0", ShopHost.archive("1.0"));
    assertThat(host.driver().inspect()).isEqualTo(PackageState.unknown());
    prepare(release);
    assertThat(upgrade(release)).isEqualTo(DONE);
    assertThat(host.servedVersion()).isEqualTo("1.0");

    assertThat(rollback(PackageState.UNKNOWN, release)).isEqualTo(DONE);
    assertThat(host.driver().inspect()).isEqualTo(PackageState.unknown());
    assertThat(host.servedVersion()).isEmpty();
    assertThat(rollback(PackageState.UNKNOWN, release)).isEqualTo(DONE);
  }

  @Test
  void aServerThatDoesNotKnowTheVersionFromBeforeLeavesItToTheHost() {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));
    prepare(release);
    upgrade(release);

    assertThat(rollback(PackageState.UNKNOWN, release)).isEqualTo(DONE);
    assertThat(host.current()).isEqualTo("1.0");
  }

  @Test
  void onlyTheNewestUnusedVersionsAreKept() throws IOException {
    for (int i = 2; i <= 7; i++) {
      ReleaseManifest release = serve(i + ".0", ShopHost.archive(i + ".0"));
      prepare(release);
      upgrade(release);
      // The file system's clock is coarse.
      Files.setLastModifiedTime(host.shopFolder().resolve("versions/" + i + ".0"), FileTime.fromMillis(i * 1_000_000L));
    }

    prepare(serve("8.0", ShopHost.archive("8.0")));

    // 1.0 was put there by hand, so it is not ours to delete.
    for (String kept : new String[] {"1.0", "4.0", "5.0", "6.0", "7.0", "8.0"}) {
      assertThat(host.shopFolder().resolve("versions").resolve(kept)).isDirectory();
    }
    assertThat(host.shopFolder().resolve("versions/2.0")).doesNotExist();
    assertThat(host.shopFolder().resolve("versions/3.0")).doesNotExist();
  }

  @Test
  void aCancelledPrepareLeavesNothingStaged() {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));
    FakeJob job = job(CommandAction.PREPARE, release);
    job.cancel();

    assertThat(host.driver().prepare(job)).isEqualTo(new CommandResult.Cancelled());
    assertThat(host.driver().inspect()).isEqualTo(new PackageState("1.0", "", false));
  }

  @Test
  void aCancelledUpgradeHasChangedNothing() throws IOException {
    ReleaseManifest release = serve("2.0", ShopHost.archive("2.0"));
    prepare(release);
    FakeJob job = job(CommandAction.UPGRADE, release);
    job.cancel();

    assertThat(host.driver().upgrade(job)).isEqualTo(new CommandResult.Cancelled());
    assertThat(host.current()).isEqualTo("1.0");
    assertThat(host.starts()).isEmpty();
  }

  @Test
  void aVersionThatNeverBecameHealthyIsNotWhatTheHostGoesBackTo() throws IOException {
    ReleaseManifest two = serveBroken("2.0");
    prepare(two);
    upgrade(two);
    ReleaseManifest three = serve("3.0", ShopHost.archive("3.0"));
    prepare(three);

    assertThat(upgrade(three)).isEqualTo(DONE);

    assertThat(Files.readSymbolicLink(host.shopFolder().resolve("previous"))).isEqualTo(Path.of("versions/1.0"));
  }
}
