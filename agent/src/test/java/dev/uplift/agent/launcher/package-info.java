/// The launcher, run by a real shell in the folder of a host, with a script in place of the JVM.
///
/// Start at [LauncherHost]. The behaviour of a version is in its file `does`; that it was started is a line in the file
/// `started`. Where a test ends the launcher in the middle, it runs a copy whose one function for changes of the disk,
/// `op`, ends it before or after the n-th.
@NullMarked
package dev.uplift.agent.launcher;

import org.jspecify.annotations.NullMarked;
