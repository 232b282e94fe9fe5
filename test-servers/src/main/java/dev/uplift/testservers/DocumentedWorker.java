package dev.uplift.testservers;

import dev.uplift.temporaldev.stack.StackHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/// The worker that `docs/drivers.md` shows, on a host of a stack, as the package `os`. The commands that it calls are
/// played: 22.04 runs, and 24.04 is installed, which runs after the next boot.
public final class DocumentedWorker {
  /// The effects of an upgrade on the host, in order.
  public static final List<String> EACH_ONCE =
      List.of("apt-get -qy --download-only dist-upgrade", "apt-get -qy dist-upgrade", "systemctl reboot", "boot");

  private static final String NAME = "os";
  private static final Path PAGE = Path.of("../docs/drivers.md");
  private static final String FENCE = "```python\n";

  private final Path folder;

  private DocumentedWorker(Path folder) {
    this.folder = folder;
  }

  /// Returns whether this machine has the interpreter that the worker needs.
  public static boolean hasInterpreter() {
    return List.of(System.getenv("PATH").split(":", -1)).stream()
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3")));
  }

  /// Returns the program, from a folder of tests next to `docs`.
  public static String program() throws IOException {
    String page = Files.readString(PAGE);
    int from = page.indexOf(FENCE) + FENCE.length();
    return page.substring(from, page.indexOf("```", from));
  }

  /// Gives the worker to the host, which is not started yet. Only the worker can reboot it: the reboot command of its
  /// agent fails.
  public static DocumentedWorker on(StackHost host) {
    var worker = new DocumentedWorker(host.packageFolder(NAME));
    try {
      worker.install();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    host.withPackage(NAME, "worker", Map.of())
        .onBoot(worker.file("boot").toString())
        .setting("reboot_command", List.of("false"))
        .setting("heartbeat_seconds", 1)
        .environment("PATH", worker.file("bin") + ":" + System.getenv("PATH"));
    return worker;
  }

  private void install() throws IOException {
    Files.createDirectories(file("bin"));
    executable(file("worker"), program());
    Files.writeString(file("running"), "22.04\n");
    Files.writeString(file("effects"), "");
    command("lsb_release", "cat running");
    command(
        "apt-get",
        "echo apt-get \"$@\" >>effects; case $* in *--download-only*) exit 0 ;; esac",
        "while [ -e hold ]; do sleep 0.05; done; echo 24.04 >installed");
    command("systemctl", "echo systemctl \"$@\" >>effects", "exec sh ../../reboot");
    executable(
        file("boot"),
        "#!/bin/sh\ncd '" + folder + "'; [ ! -e installed ] || { mv installed running; echo boot >>effects; }\n");
  }

  /// Plays a command that the worker calls, in the folder of the package.
  public void command(String name, String... lines) throws IOException {
    executable(
        file("bin").resolve(name), "#!/bin/sh\ncd '" + folder + "' || exit 1\n" + String.join("\n", lines) + "\n");
  }

  /// A file of the package: `running` has the version that runs, and while there is a file `hold` an installation does
  /// not end.
  public Path file(String name) {
    return folder.resolve(name);
  }

  /// Returns what was done on the host, in order.
  public List<String> effects() throws IOException {
    return Files.readAllLines(file("effects"));
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
