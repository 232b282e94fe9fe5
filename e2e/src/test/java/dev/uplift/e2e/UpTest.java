package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.programs.UpliftHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `uplift up`, followed by the commands of the pages.
final class UpTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final Pattern NAMED = Pattern.compile("\\$UPLIFT_STACK_FOLDER/(secrets/[A-Za-z0-9_./-]+)");

  @TempDir private Path folder;

  @Test
  void everySecretNamedByThePagesExists() throws Exception {
    Path said = folder.resolve("said");
    Path place = folder.resolve("up");
    Process up = UpliftCommand.start(said, List.of("up", "--folder", place.toString()));
    try {
      await().atMost(TIMEOUT).until(() -> Files.readString(said).contains("Ctrl-C ends it"));

      assertThat(named(UpliftHome.find().resolve("docs")))
          .isNotEmpty()
          .allSatisfy(name -> assertThat(place.resolve(name)).exists());
    } finally {
      up.destroy();
      if (!up.waitFor(60, TimeUnit.SECONDS)) {
        up.destroyForcibly();
      }
    }
  }

  private static Set<String> named(Path pages) throws IOException {
    var names = new TreeSet<String>();
    try (Stream<Path> all = Files.list(pages)) {
      for (Path page : all.filter(each -> each.toString().endsWith(".md")).toList()) {
        NAMED.matcher(Files.readString(page)).results().forEach(it -> names.add(it.group(1)));
      }
    }
    return names;
  }
}
