package dev.uplift.temporaldev.process;

import dev.uplift.temporaldev.stack.Stack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A JVM that starts this and that, says so in its folder, and waits to be killed.
final class KillableStack {
  private KillableStack() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    Stack stack = Stack.in(folder.resolve("stack")).open();
    stack.nats().start();
    stack
        .program("starter", List.of("/bin/sh", "-c", "setsid sh -c 'sleep 1000 & exec sleep 1000' & exec sleep 1000"))
        .start();
    Path temporary = Reaper.ofThisJvm().temporaryFolder("uplift-victim-");
    Files.createDirectories(temporary.resolve("with a space"));
    Files.writeString(temporary.resolve("with a space").resolve("file"), "x");
    Path kept = Reaper.ofThisJvm().temporaryFolder("uplift-kept-");
    Reaper.ofThisJvm().unregister(kept);
    Files.writeString(folder.resolve("said"), temporary + "\n" + kept + "\n");
    Files.createFile(folder.resolve("ready"));
    // Until that pipe ends, which the kill comes before.
    System.exit(System.in.read());
  }
}
