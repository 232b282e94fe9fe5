package dev.uplift.e2e;

import dev.uplift.temporaldev.stack.StackHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/// The operating system of a played host, brought to it by scripts. `upgrade` installs and wants a reboot; the boot
/// makes what is installed run. Every effect is a line in a file, and each verb can be held while it works.
final class ScriptedOs {
  static final String NAME = "os";

  private final Path folder;

  private ScriptedOs(Path folder) {
    this.folder = folder;
  }

  /// Gives the host, which is not started yet, an `os` of this version.
  static ScriptedOs on(StackHost stackHost, String version) {
    Path folder = stackHost.packageFolder(NAME);
    ScriptedOs os = new ScriptedOs(folder);
    try {
      Files.createDirectories(folder);
      os.write("running", version);
      os.write("installed", version);
      os.script("inspect", "[ ! -e hold-inspect ] || exit 1; echo version=$(cat running)");
      os.script("prepare", "echo prepare $1 >>effects", hold("prepare"));
      os.script("upgrade", "echo upgrade $1 >>effects", hold("upgrade"), "echo $1 >installed", "exit 10");
      os.script(
          "rollback",
          "[ $(cat installed) != $1 ] || exit 0",
          "echo rollback $1 >>effects",
          hold("rollback"),
          "echo $1 >installed",
          "[ $(cat running) = $1 ] || exit 10");
      os.script("commit", "echo commit $1 >>effects");
      os.script(
          "boot",
          "cp installed running",
          "[ ! -e hold-after-upgrade ] || mv hold-after-upgrade hold-inspect",
          // Written last, because the test may release a hold as soon as it has seen it.
          "echo boot $(cat running) >>effects");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    stackHost.withPackage(NAME, "script", Map.of());
    stackHost.onBoot(folder.resolve("boot").toString());
    return os;
  }

  private static String hold(String verb) {
    return "while [ -e hold-" + verb + " ]; do sleep 0.05; done";
  }

  private void script(String verb, String... lines) throws IOException {
    String text = "#!/bin/sh\ncd '" + folder + "' || exit 1\n" + String.join("\n", lines) + "\n";
    Path file = Files.writeString(folder.resolve(verb), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /// Makes the verb wait, and `inspect` without a version, until [#release].
  void hold(HoldableVerb verb) {
    write("hold-" + verb, "");
  }

  /// Makes `inspect` wait from the boot after the upgrade until [#release].
  void holdAfterUpgrade() {
    write("hold-after-upgrade", "");
  }

  void release(HoldableVerb verb) {
    try {
      Files.deleteIfExists(folder.resolve("hold-" + verb));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The verbs that can be held.
  enum HoldableVerb {
    prepare,
    upgrade,
    rollback,
    inspect
  }

  /// Returns the effects on the host in order, without its first boot.
  List<String> effects() {
    try {
      Path file = folder.resolve("effects");
      return Files.exists(file) ? Files.readAllLines(file).stream().skip(1).toList() : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String name, String text) {
    try {
      Files.writeString(folder.resolve(name), text + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
