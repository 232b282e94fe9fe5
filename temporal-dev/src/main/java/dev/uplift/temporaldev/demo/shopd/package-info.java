/// `shopd`, the real, small network service that the demo upgrades. It sells nothing.
///
/// One class, [Shopd], with no dependency but the JDK: the demo packs that class into the `shopd.jar` of each bundle at
/// run time. It is not a part of Uplift, and knows nothing of it.
@NullMarked
package dev.uplift.temporaldev.demo.shopd;

import org.jspecify.annotations.NullMarked;
