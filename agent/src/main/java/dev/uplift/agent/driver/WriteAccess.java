package dev.uplift.agent.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/// Checks that only root and the agent's own user may change a file that the agent runs or takes its commands from. Any
/// other user who may change it could run anything with the agent's rights.
public final class WriteAccess {
  private static final int ROOT = 0;
  private static final int BY_GROUP = 0020;
  private static final int BY_OTHERS = 0002;
  private static final int STICKY = 01000;
  private static final int DIRECTORY = 0040000;
  private static final int TYPE = 0170000;

  private WriteAccess() {}

  /// Returns if no other user can change or replace what is there. Links are followed.
  ///
  /// @throws StepFailed `insecure-permissions` (needs a person), with the file or folder
  public static void requireRootOnly(Path path) throws StepFailed, IOException {
    Path real = path.toRealPath();
    requireRootOnly(real, false);
    for (Path folder = real.getParent(); folder != null; folder = folder.getParent()) {
      requireRootOnly(folder, true);
    }
  }

  /// @param isAbove true for a parent folder: with the sticky bit, like `/tmp`, users cannot replace what others own
  private static void requireRootOnly(Path path, boolean isAbove) throws StepFailed, IOException {
    int mode = number(path, "mode");
    int owner = number(path, "uid");
    boolean isSticky = isAbove && (mode & TYPE) == DIRECTORY && (mode & STICKY) != 0;
    boolean byOthers = (mode & BY_OTHERS) != 0 && !isSticky;
    boolean byGroup = (mode & BY_GROUP) != 0 && !isSticky && !own("gid").contains(number(path, "gid"));
    if (byOthers || byGroup || !own("uid").contains(owner)) {
      throw StepFailed.needsPerson(
          "insecure-permissions",
          "%s can be changed by other users (owner %d, mode %o): expected root alone"
              .formatted(path, owner, mode & ~TYPE));
    }
  }

  private static Set<Integer> own(String attribute) throws IOException {
    int agent = number(Path.of("/proc/self"), attribute);
    return agent == ROOT ? Set.of(ROOT) : Set.of(ROOT, agent);
  }

  private static int number(Path path, String attribute) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:" + attribute);
  }
}
