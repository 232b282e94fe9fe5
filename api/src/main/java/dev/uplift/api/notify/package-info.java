/// Signals waiting upgrades and rollouts to check again after windows, holds or labels have changed. Best effort:
/// [WaitNotifier].
@NullMarked
package dev.uplift.api.notify;

import org.jspecify.annotations.NullMarked;
