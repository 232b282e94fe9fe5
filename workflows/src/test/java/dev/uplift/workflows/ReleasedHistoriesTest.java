package dev.uplift.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ReleasedHistoriesTest {
  @Test
  void historiesAreRewrittenOnlyUntilTheirVersionIsReleased() throws Exception {
    String changelog = Files.readString(Path.of("../CHANGELOG.md"));
    assertThat(changelog).contains("\n## Unreleased (");
    assertThatCode(() -> StoredHistories.requireUnreleased("1.4.0", "# Changelog\n\n## Unreleased (1.4.0)\n"))
        .doesNotThrowAnyException();

    assertThatThrownBy(() -> StoredHistories.requireUnreleased("1.4.0", "# Changelog\n\n## 1.4.0 (2027-01-31)\n"))
        .hasMessageContaining("histories of 1.4.0 are not rewritten, because it is released");
  }
}
