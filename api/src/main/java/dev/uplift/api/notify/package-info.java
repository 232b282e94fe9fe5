/// Who waits is told of what has changed. [WaitNotifier] is all there is.
@NullMarked
package dev.uplift.api.notify;

import org.jspecify.annotations.NullMarked;
