package dev.uplift.temporaldev.demo;

import dev.uplift.temporaldev.file.FileTree;
import dev.uplift.temporaldev.stack.StackHost;
import java.util.List;
import java.util.Map;

/// A host with two slots for a system image, like many gateways and kiosks: a new image is written to the inactive
/// slot, booted once on trial, and kept only after a commit. The programs for that are the operator's own, run by the
/// driver `script`.
final class KioskHost {
  static final String PACKAGE = "os";

  private KioskHost() {}

  /// Returns a system image with its version, its boot program and shopd.
  static FileTree systemImage(String version, FileTree shopd) {
    return new FileTree()
        .addFile("VERSION", version + "\n")
        .addProgram("sbin/init", "#!/bin/sh\nexec \"${0%/*}/../shopd/bin/restart\"\n")
        .addAll("shopd", shopd);
  }

  /// Installs an image in slot `a`, which is booted.
  static void install(StackHost stackHost, String version, FileTree shopd) {
    FileTree files =
        new FileTree()
            .addAll("slots/a", systemImage(version, shopd))
            .addFile("boot/default", "a\n")
            .addProgram("sbin/boot", ShopdBundle.resource("kiosk/boot"))
            .addProgram("sbin/os", ShopdBundle.resource("kiosk/os"));
    files.writeTo(stackHost.folder());
    driverScripts().writeTo(stackHost.packageFolder(PACKAGE));
    stackHost.withPackage(PACKAGE, "script", Map.of("root", stackHost.folder().toString()));
    stackHost.onBoot(stackHost.folder().resolve("sbin/boot").toString());
  }

  private static FileTree driverScripts() {
    FileTree verbs = new FileTree();
    for (String verb : List.of("inspect", "prepare", "upgrade", "commit", "rollback")) {
      verbs.addProgram(verb, "#!/bin/sh\nexec \"$UPLIFT_SETTING_ROOT/sbin/os\" " + verb + "\n");
    }
    return verbs;
  }
}
