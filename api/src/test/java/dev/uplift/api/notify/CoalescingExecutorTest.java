package dev.uplift.api.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class CoalescingExecutorTest {
  private final List<String> done = new CopyOnWriteArrayList<>();

  @Test
  void manyRequestsForOneKeyRunItsTaskOnce() {
    var executor = new CoalescingExecutor<String>(Duration.ofMillis(300), done::add);

    for (int i = 0; i < 10_000; i++) {
      executor.request("north");
    }
    executor.request("south");

    await().until(() -> done.size() == 2);
    assertThat(done).containsExactlyInAnyOrder("north", "south");
  }

  @Test
  void aRequestAfterTheTaskHasRunRunsItAgain() {
    var executor = new CoalescingExecutor<String>(Duration.ofMillis(10), done::add);
    executor.request("north");
    await().until(() -> done.size() == 1);

    executor.request("north");

    await().until(() -> done.size() == 2);
  }
}
