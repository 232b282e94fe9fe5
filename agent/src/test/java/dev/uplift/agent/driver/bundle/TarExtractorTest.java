package dev.uplift.agent.driver.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.files.FileOps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class TarExtractorTest {
  private static final long BOUND = 10_000;

  @TempDir private Path folder;

  private Path root = Path.of("");

  @BeforeEach
  void createRoot() throws IOException {
    root = Files.createDirectory(folder.resolve("root"));
  }

  @Test
  void filesFoldersAndLinksAreUnpackedAsTheyAre() throws Exception {
    unpack(
        new TarBuilder()
            .folder("./")
            .folder("bin/")
            .program("bin/run", "#!/bin/sh")
            .file("./data/deep/list", "a list")
            .symlink("bin/list", "../data/deep/list")
            .tarGz());

    assertThat(root.resolve("bin/run")).hasContent("#!/bin/sh").isExecutable();
    assertThat(root.resolve("data/deep/list")).hasContent("a list");
    assertThat(Files.isExecutable(root.resolve("data/deep/list"))).isFalse();
    assertThat(root.resolve("bin/list")).hasContent("a list");
  }

  @Test
  void namesMayBeLongTheWayOfGnuAndOfPosix() throws Exception {
    String gnu = "gnu/" + "a".repeat(150) + "/" + "b".repeat(80);
    String pax = "pax/" + "ä".repeat(90);

    unpack(
        new TarBuilder()
            .longName(gnu)
            .file("gnu/aaa", "one")
            .pax("path", pax)
            .file("pax/bbb", "two")
            .file("plain", "three")
            .tar());

    assertThat(root.resolve(gnu)).hasContent("one");
    assertThat(root.resolve(pax)).hasContent("two");
    assertThat(root.resolve("plain")).hasContent("three");
  }

  static Stream<Arguments> evil() {
    return Stream.of(
        evil("climbs out", new TarBuilder().file("../outside", "evil").tar()),
        evil("climbs out", new TarBuilder().file("a/../../outside", "evil").tar()),
        evil("climbs out", new TarBuilder().folder("..").tar()),
        evil("climbs out", new TarBuilder().pax("path", "../outside").file("a", "evil").tar()),
        evil("climbs out", new TarBuilder().longName("../outside").file("a", "evil").tar()),
        evil("is not relative", new TarBuilder().file("/tmp/outside", "evil").tar()),
        evil("leads out", new TarBuilder().symlink("a", "../archive").tar()),
        evil("leads nowhere", new TarBuilder().symlink("a", "../outside").tar()),
        evil("leads out", new TarBuilder().symlink("a", "/etc/passwd").tar()),
        evil("leads nowhere", new TarBuilder().symlink("a", "missing").tar()),
        // `s/../..` looks as if it stayed inside, but `s` leads up.
        evil(
            "leads out",
            new TarBuilder().folder("d").folder("p/q").symlink("p/q/s", "../../d").symlink("up", "p/q/s/../..").tar()),
        evil("is there twice", new TarBuilder().symlink("a", "b").file("a", "evil").tar()),
        evil("is there twice", new TarBuilder().symlink("a", ".").file("a/b", "evil").tar()),
        evil("is there twice", new TarBuilder().file("a", "one").file("./a", "two").tar()),
        evil("is there twice", new TarBuilder().file("a", "one").file("a/b", "two").tar()),
        evil("set-id", new TarBuilder().file("a", "evil", 04755).tar()),
        evil("set-id", new TarBuilder().entry("a", '5', 02755, 0, "").tar()),
        evil("of type '1'", new TarBuilder().entry("a", '1', 0644, 0, "b").tar()),
        evil("of type '3'", new TarBuilder().entry("a", '3', 0644, 0, "").tar()),
        evil("of type '6'", new TarBuilder().entry("a", '6', 0644, 0, "").tar()),
        evil("holes", new TarBuilder().pax("GNU.sparse.major", "1").file("a", "").tar()),
        evil("COMPLETE", new TarBuilder().file("./COMPLETE", "sha256=0").tar()),
        evil("more than", new TarBuilder().file("a", "x".repeat(10_001)).tar()),
        evil("more than", new TarBuilder().file("a", "x".repeat(6000)).file("b", "x".repeat(6000)).tar()),
        evil("more than", new TarBuilder().entry("a", '0', 0644, 8_000_000_000L, "").tar()),
        evil("a name of", new TarBuilder().file("", "evil").tar()),
        evil("a name of", new TarBuilder().entry("L", 'L', 0, 1_000_000, "").tar()),
        evil("empty", new TarBuilder().tar()),
        evil("too early", new TarBuilder().file("a", "text").withoutEnd()),
        evil("too early", new byte[0]),
        evil("too early", Arrays.copyOf(new TarBuilder().file("a", "text").tar(), 514)),
        evil("too early", Arrays.copyOf(new TarBuilder().file("a", "text").tarGz(), 60)),
        evil("gzip", damaged(new TarBuilder().file("a", "text").tarGz())),
        evil("no tar", "<html>".repeat(200).getBytes(UTF_8)),
        evil(
            "damaged extension",
            new TarBuilder().entry("x", 'x', 0, 9, "").content("9999 a=b\n".getBytes(UTF_8)).tar()));
  }

  private static byte[] damaged(byte[] gzip) {
    gzip[12] ^= 0x55;
    return gzip;
  }

  private static Arguments evil(String says, byte[] archive) {
    return Arguments.of(says, archive);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("evil")
  void whatIsOddIsRefusedAndNothingOutsideIsTouched(String says, byte[] archive) throws IOException {
    assertThatThrownBy(() -> unpack(archive)).isInstanceOf(InvalidArchive.class).hasMessageContaining(says);

    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder("root", "archive");
    }
    assertThat(Path.of("/tmp/outside")).doesNotExist();
  }

  @Test
  void nothingIsWrittenThroughALinkThatStaysInside() {
    byte[] archive = new TarBuilder().folder("real").symlink("link", "real").file("link/file", "evil").tar();

    assertThatThrownBy(() -> unpack(archive)).isInstanceOf(InvalidArchive.class);
    assertThat(root.resolve("real/file")).doesNotExist();
  }

  @Test
  void aLinkMayLeadToWhatComesLater() {
    assertThatCode(() -> unpack(new TarBuilder().symlink("a", "b").file("b", "text").tar())).doesNotThrowAnyException();
    assertThat(Files.exists(root.resolve("a"), LinkOption.NOFOLLOW_LINKS)).isTrue();
  }

  private void unpack(byte[] archive) throws IOException, StepFailed {
    Path file = Files.write(folder.resolve("archive"), archive);
    new TarExtractor(FileOps.onDisk(), root, BOUND, () -> false).extract(file);
  }
}
