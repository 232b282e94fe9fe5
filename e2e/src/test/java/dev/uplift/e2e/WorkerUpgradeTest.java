package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import dev.uplift.testservers.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Upgrades of hosts whose operating system is upgraded by a worker, from REST to the worker and back.
@Timeout(300)
final class WorkerUpgradeTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final List<String> EACH_ONCE = List.of("prepare", "upgrade", "reboot false", "boot", "reboot true");

  private final Stack stack = TestServers.stack().open();
  private TestRestClient rest;

  @BeforeEach
  void start() {
    stack.start();
    rest = new TestRestClient(stack, "acme");
    rest.publish("os", "worker", "1.5.0", 150);
  }

  @AfterEach
  void endAll() {
    stack.close();
  }

  /// AV-30, AV-31, AV-32: the second host is touched when the first has rebooted. AV-23: both are prepared before.
  @Test
  void hostsOfADeviceAreUpgradedAndRebootedByTheirWorkersOneAfterTheOther() throws IOException {
    Path order = Files.createTempFile("order", "");
    try {
      StackHost left = hostWithWorker("left", order);
      StackHost right = hostWithWorker("right", order);
      rest.call("PUT", "devices/gate", Map.of("hosts", List.of("left", "right"))).expectStatus(201);

      rest.startUpgrade("gate-1", "gate", "os", "1.5.0").expectStatus(200, 201, 202);
      await("the end").atMost(TIMEOUT).until(() -> !rest.outcome("gate-1").isEmpty());

      assertThat(rest.outcome("gate-1")).isEqualTo("upgraded");
      assertThat(effects(left)).isEqualTo(EACH_ONCE);
      assertThat(effects(right)).isEqualTo(EACH_ONCE);
      assertThat(Files.readAllLines(order).stream().skip(2))
          .containsExactly(
              "left upgrade",
              "left reboot false",
              "left reboot true",
              "right upgrade",
              "right reboot false",
              "right reboot true");
    } finally {
      Files.delete(order);
    }
  }

  /// AV-28, AV-38: its text reaches the person who looks at the upgrade.
  @Test
  void theTextOfAWorkerIsTheReasonOfTheFailedUpgrade() throws IOException {
    StackHost host = hostWithWorker("left", Path.of("/dev/null"));
    Files.writeString(host.packageFolder("os").resolve("broken"), "");
    rest.putDevice("gate", "left");

    rest.startUpgrade("gate-1", "gate", "os", "1.5.0").expectStatus(200, 201, 202);
    await("the end").atMost(TIMEOUT).until(() -> !rest.outcome("gate-1").isEmpty());

    assertThat(rest.upgrade("gate-1").toString()).contains("worker-failed").contains("no mirror is reachable");
    assertThat(rest.outcome("gate-1")).isEqualTo("prepare-failed");
  }

  /// Only its worker can reboot it.
  private StackHost hostWithWorker(String name, Path order) throws IOException {
    StackHost host = stack.host("acme", name);
    Path folder = Files.createDirectories(host.packageFolder("os"));
    Files.writeString(folder.resolve("running"), "1.4.0\n");
    Files.writeString(folder.resolve("effects"), "");
    script(
        folder,
        "worker",
        """
        reply() { printf '{"action":"%%s","result":"%%s"}\\n' "$1" "$2"; }
        effect() { echo "$@" >>effects; echo %s "$@" >>'%s'; }
        printf '{"os":"%%s"}\\n' "$(cat running)"
        IFS= read -r message || exit 0
        case $message in
          *'"action":"prepare"'*)
            [ ! -e broken ] || { reply prepare 'no mirror is reachable'; exit; }
            effect prepare; reply prepare done ;;
          *'"action":"upgrade"'*) effect upgrade; echo "$UPLIFT_VERSION" >installed; reply upgrade reboot-required ;;
          *'"action":"reboot"'*)
            effect reboot $UPLIFT_REBOOTED
            [ $UPLIFT_REBOOTED = true ] || exec sh ../../reboot
            reply reboot done ;;
        esac
        """
            .formatted(name, order));
    script(folder, "boot", "[ ! -e installed ] || { mv installed running; echo boot >>effects; }\n");
    host.withPackage("os", "worker", Map.of())
        .onBoot(folder.resolve("boot").toString())
        .setting("reboot_command", List.of("false"))
        .start();
    return host;
  }

  private static void script(Path folder, String name, String body) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\ncd '" + folder + "' || exit 1\n" + body);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static List<String> effects(StackHost host) throws IOException {
    return Files.readAllLines(host.packageFolder("os").resolve("effects"));
  }
}
