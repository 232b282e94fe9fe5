package dev.uplift.agent.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileOpsTest {
  @TempDir private Path folder;

  private final List<String> done = new ArrayList<>();

  private final FileOps files =
      new ObservedFileOps(
          new ObservedFileOps.Observer() {
            @Override
            public void after(String operation, Path path) {
              done.add(operation + " " + folder.relativize(path));
            }
          });

  @Test
  void contentIsForcedBeforeItGetsItsNameAndTheNameAfterwards() throws IOException {
    files.write(folder.resolve("file"), "text".getBytes(UTF_8));

    assertThat(done)
        .containsExactly(
            "delete .file.unfinished",
            "open .file.unfinished",
            "write .file.unfinished",
            "force .file.unfinished",
            "rename file",
            "force ");
    assertThat(folder.resolve("file")).hasContent("text");
  }

  @Test
  void aPrivateFileCanBeReadByItsOwnerOnlyFromTheMomentItExists() throws IOException {
    List<String> modes = new ArrayList<>();
    FileOps watched =
        new ObservedFileOps(
            new ObservedFileOps.Observer() {
              @Override
              public void after(String operation, Path path) throws IOException {
                if (Files.isRegularFile(path)) {
                  modes.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
                }
              }
            });

    watched.writePrivate(folder.resolve("key"), "secret".getBytes(UTF_8));

    assertThat(modes).isNotEmpty().containsOnly("rw-------");
  }

  @Test
  void aPrivateFileIsNeverOneThatIsThereAlready() throws IOException {
    Files.writeString(folder.resolve("key"), "another user's");

    assertThatThrownBy(() -> files.createPrivate(folder.resolve("key"))).isInstanceOf(IOException.class);
  }

  @Test
  void aPrivateFolderIsItsOwnersAlsoWhereItWasOpenBefore() throws IOException {
    Files.createDirectory(folder.resolve("old"), PosixFilePermissions.asFileAttribute(mode("rwxr-xr-x")));

    files.createPrivateFolder(folder.resolve("old"));
    files.createPrivateFolder(folder.resolve("new"));

    assertThat(Files.getPosixFilePermissions(folder.resolve("old"))).isEqualTo(mode("rwx------"));
    assertThat(Files.getPosixFilePermissions(folder.resolve("new"))).isEqualTo(mode("rwx------"));
  }

  private static Set<PosixFilePermission> mode(String text) {
    return PosixFilePermissions.fromString(text);
  }

  @Test
  void aLinkIsReplacedByARenameOnly() throws IOException {
    files.replaceLink(folder.resolve("link"), Path.of("old"));
    done.clear();

    files.replaceLink(folder.resolve("link"), Path.of("new"));

    assertThat(done).containsExactly("delete .link.unfinished", "link .link.unfinished", "rename link", "force ");
    assertThat(Files.readSymbolicLink(folder.resolve("link"))).isEqualTo(Path.of("new"));
  }

  @Test
  void aReaderNeverFindsNoLink() throws Exception {
    Path link = folder.resolve("link");
    FileOps disk = FileOps.onDisk();
    disk.replaceLink(link, Path.of("0"));
    var missed = new AtomicBoolean();
    var ended = new AtomicBoolean();
    Thread reader =
        Thread.ofVirtual()
            .start(() -> {
              while (!ended.get()) {
                if (!Files.isSymbolicLink(link)) {
                  missed.set(true);
                }
              }
            });

    for (int i = 1; i < 300; i++) {
      disk.replaceLink(link, Path.of(Integer.toString(i)));
    }
    ended.set(true);
    reader.join();

    assertThat(missed).isFalse();
  }

  @Test
  void eachFolderThatIsCreatedIsForcedIntoItsParent() throws IOException {
    files.createFolders(folder.resolve("a/b"));

    assertThat(done).containsExactly("folder a", "force ", "folder a/b", "force a");
  }

  @Test
  void aTreeIsForcedFromTheInsideOut() throws IOException {
    Files.createDirectories(folder.resolve("tree/inner"));
    Files.writeString(folder.resolve("tree/inner/file"), "text");
    Files.createSymbolicLink(folder.resolve("tree/link"), Path.of("inner"));

    files.forceTree(folder.resolve("tree"));

    assertThat(done).containsSubsequence("force tree/inner/file", "force tree/inner", "force tree");
    assertThat(done).doesNotContain("force tree/link");
  }

  @Test
  void deletingATreeDoesNotFollowLinks() throws IOException {
    Files.createDirectories(folder.resolve("outside"));
    Files.writeString(folder.resolve("outside/file"), "text");
    Files.createDirectories(folder.resolve("tree"));
    Files.createSymbolicLink(folder.resolve("tree/link"), Path.of("../outside"));

    files.deleteTree(folder.resolve("tree"));

    assertThat(folder.resolve("tree")).doesNotExist();
    assertThat(folder.resolve("outside/file")).hasContent("text");
  }

  @Test
  void aFolderIsNotTakenForAFile() throws IOException {
    Files.writeString(folder.resolve("file"), "text");

    assertThatThrownBy(() -> files.createFolder(folder.resolve("file"))).isInstanceOf(IOException.class);
  }

  @Test
  void theReserveIsATwentiethOfTheDiskWithinBounds() {
    long mib = 1 << 20;

    assertThat(new DiskSpace(0, 100 * mib).reserve()).isEqualTo(64 * mib);
    assertThat(new DiskSpace(0, 4000 * mib).reserve()).isEqualTo(200 * mib);
    assertThat(new DiskSpace(0, 1_000_000 * mib).reserve()).isEqualTo(512 * mib);
    assertThat(new DiskSpace(70 * mib, 100 * mib).hasRoomFor(6 * mib)).isTrue();
    assertThat(new DiskSpace(70 * mib, 100 * mib).hasRoomFor(7 * mib)).isFalse();
  }
}
