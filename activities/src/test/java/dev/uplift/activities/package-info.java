/// The other side of the workflows' interfaces, against real servers. Hosts are played by hand.
@NullMarked
package dev.uplift.activities;

import org.jspecify.annotations.NullMarked;
