package dev.uplift.cli.demo;

import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Tree;
import java.util.List;
import java.util.Map;

/// A host with two slots for a system image, of which it boots one, as gateways and kiosks have:
/// the new image goes into the other slot, is booted once on trial, and stays only when that is
/// committed. The programs that do it are an operator's own, run by the driver `script`.
final class Kiosk {
  static final String PACKAGE = "os";

  private Kiosk() {}

  /// A system image: its version, what it starts at boot, and the shopd that is a part of it.
  static Tree image(String version, Tree shopd) {
    return new Tree()
        .file("VERSION", version + "\n")
        .program("sbin/init", "#!/bin/sh\nexec \"${0%/*}/../shopd/bin/restart\"\n")
        .all("shopd", shopd);
  }

  /// Slot `a` has the image and is booted.
  static void install(Host host, String version, Tree shopd) {
    Tree files =
        new Tree()
            .all("slots/a", image(version, shopd))
            .file("boot/default", "a\n")
            .program("sbin/boot", ShopdBundle.resource("kiosk/boot"))
            .program("sbin/os", ShopdBundle.resource("kiosk/os"));
    files.writeTo(host.folder());
    verbs().writeTo(host.packageFolder(PACKAGE));
    host.has(PACKAGE, "script", Map.of("root", host.folder().toString()));
    host.atBoot(host.folder().resolve("sbin/boot").toString());
  }

  private static Tree verbs() {
    Tree verbs = new Tree();
    for (String verb : List.of("inspect", "prepare", "upgrade", "commit", "rollback")) {
      verbs.program(verb, "#!/bin/sh\nexec \"$UPLIFT_SETTING_ROOT/sbin/os\" " + verb + "\n");
    }
    return verbs;
  }
}
